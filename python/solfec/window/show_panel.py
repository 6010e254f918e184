"""Panel: what is shown, transparent or hidden; a cutting plane."""

import numpy as np
from PyQt5.QtCore import Qt, QTimer
from PyQt5.QtWidgets import (QComboBox, QFormLayout, QGroupBox, QHBoxLayout, QHeaderView, QLineEdit, QPushButton,
                             QSizePolicy, QSlider, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget)

from solfec.results import BODY_KINDS
from solfec.view_settings import Cut
from solfec.window import bound

MOST = 500        # entries of a group; others are reached by typing
SHOWN, GLASS = 1, 2
NORMALS = {'x': (1, 0, 0), 'y': (0, 1, 0), 'z': (0, 0, 1), '-x': (-1, 0, 0), '-y': (0, -1, 0), '-z': (0, 0, -1)}
STEPS = 500       # of the slider of the cutting plane


class ShowPanel(QWidget):
    """Shows and changes what the settings of a session hide."""

    def __init__(self, session):
        super().__init__()
        self.session, self._topology, self._showing = session, None, False
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels(('what', 'shown', 'glass'))
        self.tree.header().setSectionResizeMode(0, QHeaderView.Stretch)
        self.tree.header().setStretchLastSection(False)
        for column in (SHOWN, GLASS):
            self.tree.header().setSectionResizeMode(column, QHeaderView.ResizeToContents)
        self.tree.itemChanged.connect(self._ticked)
        self.text = QLineEdit(placeholderText='id:12, label:ball.*, surface:3')
        self.text.setToolTip('bodies by identifier, label (a regular expression too), kind, material or surface')
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.tree, 1)
        column.addWidget(self.text)
        row = QHBoxLayout()
        row.setSpacing(3)
        for text, make in (('Hide', lambda: session.add_text('hidden', self.text.text())),
                           ('Glass', lambda: session.add_text('transparent', self.text.text())),
                           ('Only', lambda: session.add_text('only', self.text.text())),
                           ('Show all', session.show_all)):
            button = QPushButton(text, clicked=make)
            button.setMinimumWidth(10)
            button.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
            row.addWidget(button)
        column.addLayout(row)
        self.opacity = QSlider(Qt.Horizontal, toolTip='opacity of glass')
        self.opacity.setRange(0, 100)
        self.opacity.valueChanged.connect(self._opacity_moved)
        form = QFormLayout()
        form.addRow('Opacity', self.opacity)
        column.addLayout(form)
        self.cut = CutBox(session)
        column.addWidget(self.cut)
        for signal in (session.model_changed, session.frame_shown, session.settings_changed):
            signal.connect(self._refresh)

    def showEvent(self, event):
        self._refresh()

    def _refresh(self):
        scene = self.session.scene
        if not self.isVisible() or not scene:
            return
        if (scene, scene.topology) != self._topology:
            self._topology = scene, scene.topology
            self._fill(scene)
        self._show_settings()

    def _fill(self, scene):
        self._showing = True
        self.tree.clear()
        labels, counts = np.unique(scene.label[scene.label != ''].astype(str), return_counts=True)
        groups = [('Kinds', 'kind:', list(BODY_KINDS), np.bincount(scene.kind, minlength=len(BODY_KINDS))),
                  ('Labels', 'label:', list(labels), counts)]
        materials = list(scene.material_labels())
        index = scene.model.bodies.material[scene.rows]
        groups.append(('Materials', 'material:', materials, np.bincount(index[index >= 0], minlength=len(materials))))
        surfaces, counts = np.unique(np.concatenate([scene.faces.surface, scene.balls.surface]), return_counts=True)
        groups.append(('Surfaces', 'surface:', [str(k) for k in surfaces], counts))
        for title, prefix, names, counts in groups:
            self._add_group(title, prefix, [(name, count) for name, count in zip(names, counts) if count])
        self._texts_group = QTreeWidgetItem(self.tree, ['Other'])
        self._showing = False

    def _add_group(self, title, prefix, entries):
        more = f' (first {MOST} of {len(entries)})' if len(entries) > MOST else ''
        group = QTreeWidgetItem(self.tree, [title + more])
        for name, count in entries[:MOST]:
            self._add_entry(group, prefix + name, f'{name}  ({count})')
        group.setExpanded(len(entries) <= 12)

    @staticmethod
    def _add_entry(group, selector, text):
        item = QTreeWidgetItem(group, [text])
        item.setData(0, Qt.UserRole, selector)
        item.setFlags(item.flags() | Qt.ItemIsUserCheckable)
        item.setToolTip(0, selector)
        item.setCheckState(SHOWN, Qt.Checked)
        item.setCheckState(GLASS, Qt.Unchecked)
        return item

    def _entries(self):
        for g in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(g)
            for k in range(group.childCount()):
                yield group.child(k)

    def _show_settings(self):
        settings = self.session.settings
        self._showing = True
        self._texts_group.takeChildren()
        hidden, glass, only = (set(texts) for texts in (settings.hidden, settings.transparent, settings.only))
        known = {item.data(0, Qt.UserRole) for item in self._entries()}
        for text in [*settings.hidden, *settings.transparent]:
            if text not in known:
                known.add(text)
                self._add_entry(self._texts_group, text, text)
        for text in settings.only:
            item = self._add_entry(self._texts_group, text, 'only ' + text)
            item.setData(0, Qt.UserRole + 1, True)
        self._texts_group.setExpanded(True)
        self._texts_group.setHidden(not self._texts_group.childCount())
        for item in self._entries():
            text = item.data(0, Qt.UserRole)
            is_only = item.data(0, Qt.UserRole + 1)
            shown = text in only if is_only else text not in hidden
            item.setCheckState(SHOWN, Qt.Checked if shown else Qt.Unchecked)
            item.setCheckState(GLASS, Qt.Checked if text in glass else Qt.Unchecked)
        self.opacity.setValue(round(100 * settings.opacity))
        self._showing = False

    def _ticked(self, item, column):
        if self._showing:
            return
        text, on = item.data(0, Qt.UserRole), item.checkState(column) == Qt.Checked
        name = 'transparent' if column == GLASS else 'only' if item.data(0, Qt.UserRole + 1) else 'hidden'
        on = on != (name == 'hidden')
        # Afterwards: it makes entries anew, and this one is in use.
        QTimer.singleShot(0, lambda: self.session.set_text(name, text, on))

    def _opacity_moved(self, value):
        if not self._showing:
            self.session.change(opacity=value / 100)


class CutBox(QGroupBox):
    """A cutting plane: its normal, and a slider for its position."""

    def __init__(self, session):
        super().__init__('Cutting plane', checkable=True)
        self.session, self._showing = session, False
        self.normal = QComboBox(toolTip='direction of the side that is cut away')
        self.normal.addItems([*NORMALS, 'line of sight'])
        self.slider = QSlider(Qt.Horizontal, toolTip='position of the plane')
        self.slider.setRange(0, STEPS)
        self.position = bound.Number(self._typed, 'coordinate of the plane on its axis [m]')
        form = QFormLayout(self)
        form.setContentsMargins(6, 4, 6, 4)
        row = QHBoxLayout()
        row.addWidget(self.normal)
        row.addWidget(self.position)
        form.addRow('Normal', row)
        form.addRow(self.slider)
        self.clicked.connect(self._switched)
        self.normal.activated.connect(self._turned)
        self.slider.valueChanged.connect(self._moved)
        session.settings_changed.connect(self._show)

    def _span(self, normal):
        """Least and largest position at which the plane meets the model."""
        low, high = self.session.scene.bounds()
        corners = np.array([[(low, high)[(k >> d) & 1][d] for d in range(3)] for k in range(8)])
        along = corners @ normal
        return float(along.min()), float(along.max())

    def _normal(self):
        name = self.normal.currentText()
        if name in NORMALS:
            return NORMALS[name]
        return tuple(-x for x in self.session.view_direction())

    def _sign(self):
        """Of coordinates as told: those of planes with the normal -x count along x."""
        return -1 if self.normal.currentText().startswith('-') else 1

    def toggle(self):
        self._switched(not self.session.settings.cuts)

    def _switched(self, on):
        if on and self.session.scene:
            normal = self._normal()
            low, high = self._span(normal)
            self.session.change(cuts=[Cut(normal, 0.5 * (low + high))])
        else:
            self.session.change(cuts=[])

    def _turned(self):
        if self.isChecked():
            self._switched(True)

    def _moved(self, value):
        if self._showing or not self.session.settings.cuts:
            return
        normal = self.session.settings.cuts[0].normal
        low, high = self._span(normal)
        self._move_to(low + (high - low) * value / STEPS)

    def _typed(self, value):
        if self.session.settings.cuts:
            self._move_to(self._sign() * value)

    def _move_to(self, position):
        """Further planes of settings that were loaded stay."""
        first, *others = self.session.settings.cuts
        self.session.change(cuts=[Cut(first.normal, position), *others])

    def move(self, steps):
        """Moves the plane by so many hundredths of the model."""
        self.slider.setValue(self.slider.value() + steps * STEPS // 100)

    def _show(self):
        cuts = self.session.settings.cuts
        self._showing = True
        self.setChecked(bool(cuts))
        if cuts and self.session.scene:
            low, high = self._span(cuts[0].normal)
            self.slider.setValue(round((cuts[0].position - low) / (high - low) * STEPS) if high > low else 0)
            name = next((name for name, n in NORMALS.items() if np.allclose(n, cuts[0].normal)), 'line of sight')
            self.normal.setCurrentText(name)
            self.position.show_value(self._sign() * cuts[0].position)
        self._showing = False
