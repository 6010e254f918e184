"""Widgets that show a setting of the session (view_settings.ViewSettings) and change it."""

from PyQt5.QtGui import QDoubleValidator
from PyQt5.QtWidgets import QCheckBox, QComboBox, QLineEdit


def check(session, name, text, tip=''):
    """A check box for a setting that is True or False."""
    box = QCheckBox(text, toolTip=tip)
    box.clicked.connect(lambda on: session.change(**{name: on}))
    session.settings_changed.connect(lambda: box.setChecked(getattr(session.settings, name)))
    return box


class Choice(QComboBox):
    """A list of values of a setting; set_options gives them."""

    def __init__(self, session, name, options=(), tip=''):
        super().__init__(toolTip=tip)
        self.session, self.name = session, name
        self.setSizeAdjustPolicy(QComboBox.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(6)
        self.setMaxVisibleItems(40)
        self.set_options(options)
        self.activated.connect(lambda row: session.change(**{name: self.itemData(row)}))
        session.settings_changed.connect(self.show_setting)

    def set_options(self, options):
        """(value, text) each."""
        if [(self.itemData(k), self.itemText(k)) for k in range(self.count())] != list(options):
            self.clear()
            for value, text in options:
                self.addItem(text, value)

    def show_setting(self):
        value = getattr(self.session.settings, self.name)
        row = next((k for k in range(self.count()) if self.itemData(k) == value), -1)
        if row < 0 and isinstance(value, str):  # a field that the model does not have now
            self.addItem(value, value)
            row = self.count() - 1
        self.setCurrentIndex(row)


class Number(QLineEdit):
    """A number; `chosen` is called with it when it is typed."""

    def __init__(self, chosen, tip='', low=None):
        super().__init__(toolTip=tip)
        validator = QDoubleValidator()
        if low is not None:
            validator.setBottom(low)
        self.setValidator(validator)
        self.setMinimumWidth(50)
        self._chosen = chosen
        self.editingFinished.connect(self._typed)
        self.returnPressed.connect(self.clearFocus)  # keys are commands again
        self._shown = ''

    def show_value(self, value):
        self._shown = f'{value:.6g}'
        if not self.hasFocus() or not self.isModified():
            self.setText(self._shown)

    def value(self):
        return float(self.text())

    def _typed(self):
        if self.text() != self._shown:
            self._shown = self.text()
            self.setModified(False)
            self._chosen(self.value())


def number(session, name, tip=''):
    """A positive number of a setting."""
    edit = Number(lambda value: session.change(**{name: value}), tip)
    session.settings_changed.connect(lambda: edit.show_value(getattr(session.settings, name)))
    return edit
