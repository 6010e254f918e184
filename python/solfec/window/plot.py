"""A small plot of a figure over time."""

import math

import numpy as np
from PyQt5.QtCore import QPointF, QRectF, QSize, Qt, pyqtSignal
from PyQt5.QtGui import QColor, QPainter, QPen, QPolygonF
from PyQt5.QtWidgets import QSizePolicy, QWidget

INK, GRID, CURVE, NOW = QColor(40, 40, 45), QColor(225, 225, 228), QColor(31, 105, 175), QColor(205, 70, 40)


def ticks(low, high, count):
    """Round numbers between two, some `count` of them."""
    raw = (high - low) / max(1, count)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(k * power for k in (1, 2, 5, 10) if k * power >= raw * (1 - 1E-9))
    return np.arange(math.ceil(low / step - 1E-9), math.floor(high / step + 1E-9) + 1) * step


class Plot(QWidget):
    """Draws set_curve(times, values) with a mark at set_now(time); a click asks for a time by `chosen`."""
    chosen = pyqtSignal(float)

    def __init__(self):
        super().__init__()
        self.times = self.values = np.zeros(0)
        self.now, self.title = None, ''
        self.setSizePolicy(QSizePolicy.Expanding, QSizePolicy.Expanding)
        self.setMinimumHeight(120)
        self.setToolTip('click: go to that time')

    def sizeHint(self):
        return QSize(280, 180)

    def set_curve(self, times, values, title, span):
        """Values over times [s]; `span` is the range of times to show."""
        self.times, self.values, self.title, self.span = times, values, title, span
        self.update()

    def set_now(self, time):
        self.now = time
        self.update()

    def _area(self):
        left = 12 + self.fontMetrics().horizontalAdvance('-0.0e+00')
        height = self.fontMetrics().height()
        return QRectF(left, height + 6, max(10, self.width() - left - 12), max(10, self.height() - 3 * height - 12))

    def _ranges(self):
        good = self.values[np.isfinite(self.values)]
        low, high = (float(good.min()), float(good.max())) if len(good) else (0.0, 1.0)
        margin = 0.05 * (high - low) or 0.5 * abs(high) or 0.5
        start, end = self.span
        return start, end if end > start else start + 1, low - margin, high + margin

    def paintEvent(self, event):
        painter = QPainter(self)
        painter.setRenderHint(QPainter.Antialiasing)
        painter.fillRect(self.rect(), Qt.white)
        painter.setPen(INK)
        area = self._area()
        painter.drawText(QRectF(6, 1, self.width() - 8, area.top() - 3), Qt.AlignLeft | Qt.AlignVCenter,
                         self.fontMetrics().elidedText(self.title, Qt.ElideRight, self.width() - 10))
        if not len(self.times):
            return
        start, end, low, high = self._ranges()

        def x(t):
            return area.left() + (t - start) / (end - start) * area.width()

        def y(v):
            return area.bottom() - (v - low) / (high - low) * area.height()

        self._axes(painter, area, x, y)
        painter.setClipRect(area.adjusted(-2, -2, 2, 2))
        painter.setPen(QPen(CURVE, 1.6))
        xs, ys = x(self.times), y(self.values)
        breaks = np.flatnonzero(~np.isfinite(ys))
        for part in np.split(np.arange(len(ys)), breaks):
            part = part[np.isfinite(ys[part])]
            if len(part) == 1:
                painter.drawEllipse(QPointF(xs[part[0]], ys[part[0]]), 1.5, 1.5)
            elif len(part):
                painter.drawPolyline(QPolygonF([QPointF(a, b) for a, b in zip(xs[part], ys[part])]))
        if self.now is not None:
            painter.setPen(QPen(NOW, 1.2))
            painter.drawLine(QPointF(x(self.now), area.top()), QPointF(x(self.now), area.bottom()))

    def _axes(self, painter, area, x, y):
        start, end, low, high = self._ranges()
        height = self.fontMetrics().height()
        for v in ticks(low, high, max(2, int(area.height() / 26))):
            painter.setPen(GRID)
            painter.drawLine(QPointF(area.left(), y(v)), QPointF(area.right(), y(v)))
            painter.setPen(INK)
            painter.drawText(QRectF(0, y(v) - height / 2, area.left() - 5, height), Qt.AlignRight | Qt.AlignVCenter,
                             f'{v:.5g}')
        for t in ticks(start, end, max(2, int(area.width() / 55))):
            painter.setPen(GRID)
            painter.drawLine(QPointF(x(t), area.top()), QPointF(x(t), area.bottom()))
            painter.setPen(INK)
            painter.drawText(QRectF(x(t) - 40, area.bottom() + 3, 80, height), Qt.AlignCenter, f'{t:.4g}')
        painter.drawText(QRectF(area.right() - 40, area.bottom() + 2 + height, 46, height), Qt.AlignRight, 't [s]')
        painter.setPen(INK)
        painter.drawRect(area)

    def mousePressEvent(self, event):
        area = self._area()
        if len(self.times) and event.button() == Qt.LeftButton:
            start, end, *_ = self._ranges()
            self.chosen.emit(start + (event.x() - area.left()) / area.width() * (end - start))
