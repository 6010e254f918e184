"""Panel: what the script prints, and its errors."""

from PyQt5.QtGui import QColor, QFontDatabase, QTextCharFormat, QTextCursor
from PyQt5.QtWidgets import QPlainTextEdit

LINES = 20000  # that are kept


class Console(QPlainTextEdit):
    def __init__(self):
        super().__init__(readOnly=True)
        self.setMaximumBlockCount(LINES)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.FixedFont))
        self.setLineWrapMode(QPlainTextEdit.NoWrap)

    def write(self, text, is_error=False):
        """Adds a text at the end, which stays in view."""
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.End)
        format = QTextCharFormat()
        format.setForeground(QColor(180, 30, 20) if is_error else QColor(40, 40, 45))
        cursor.insertText(text, format)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()
