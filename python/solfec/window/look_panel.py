"""Panel: colours, ranges, forces, vectors, edges and the like."""

from PyQt5.QtCore import Qt
from PyQt5.QtWidgets import QComboBox, QFormLayout, QGroupBox, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from solfec import scene_fields
from solfec.contact_table import COLUMNS
from solfec import colours
from solfec.view_settings import EDGES, FORCES, NAMED_COLOURS, VECTORS
from solfec.window import bound


class LookPanel(QScrollArea):
    """Shows and changes the settings of the current model of a session."""

    def __init__(self, session):
        super().__init__()
        self.session = session
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(4, 4, 4, 4)
        for group in (self._colours(), self._contacts(), self._look()):
            column.addWidget(group)
        column.addStretch(1)
        self.setWidget(content)
        self.setWidgetResizable(True)
        self.setFrameShape(self.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarAlwaysOff)
        self.setMinimumWidth(content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width())
        session.model_changed.connect(self._take_model)
        session.settings_changed.connect(self._show_range)
        session.drawn.connect(self._show_range)

    def _colours(self):
        session = self.session
        self.field = bound.Choice(session, 'colour', [('plain', 'plain')], 'field that colours the bodies')
        self.range = QComboBox(toolTip='least and largest value of the colour bar')
        for text, value in (('of each frame', 'frame'), ('of the whole run', 'run'), ('fixed', 'fixed')):
            self.range.addItem(text, value)
        self.range.activated.connect(self._range_chosen)
        self.low, self.high = (bound.Number(self._fixed_range, tip) for tip in (
            'lower end of the colour bar: type to fix it', 'upper end of the colour bar: type to fix it'))
        ends = QHBoxLayout()
        ends.addWidget(self.low)
        ends.addWidget(self.high)
        group, form = _group('Colour of bodies')
        form.addRow('Field', self.field)
        form.addRow('Map', bound.Choice(session, 'colour_map', _same(colours.map_names()), 'colour map'))
        form.addRow('Range', self.range)
        form.addRow('', ends)
        form.addRow('', bound.check(session, 'logarithmic', 'logarithmic', 'spread over the logarithm of values'))
        form.addRow('', bound.check(session, 'colour_obstacles', 'obstacles too',
                                    'else they are grey, and do not count for the range'))
        form.addRow('', bound.check(session, 'legend', 'colour bar'))
        return group

    def _contacts(self):
        session = self.session
        group, form = _group('Contacts, vectors and joints')
        form.addRow('Forces', _pair(
            bound.Choice(session, 'forces', _same(FORCES), 'arrows, or a network of tubes thicker with |R|'),
            bound.number(session, 'force_scale', 'makes arrows longer and tubes thicker')))
        form.addRow('Points', bound.Choice(session, 'contacts', [(None, 'none'), *_same(COLUMNS)],
                                           'points of contact, coloured by a figure of theirs'))
        form.addRow('Vectors', _pair(
            bound.Choice(session, 'vectors', [(None, 'none'), *_same(VECTORS)], 'arrows at bodies'),
            bound.number(session, 'vector_scale', 'makes them longer')))
        form.addRow('', bound.check(session, 'joints', 'joints', 'signs of joints and prescribed motions'))
        return group

    def _look(self):
        session = self.session
        group, form = _group('Look')
        form.addRow('Edges', bound.Choice(session, 'edges', _same(EDGES), 'of surfaces or of elements'))
        self.magnify = bound.number(session, 'magnify', 'displacements of finite-element bodies are drawn so many '
                                    'times as large')
        form.addRow('Magnify', self.magnify)
        form.addRow('', bound.check(session, 'undeformed', 'undeformed shape',
                                    'edges of the reference shapes of bodies that deform'))
        self.background = bound.Choice(session, 'background', [(code, name) for name, code in
                                                               NAMED_COLOURS.items()])
        form.addRow('Background', self.background)
        form.addRow('Camera', self._projection())
        for name, text in (('axes', 'axes'), ('scale_bar', 'scale bar'), ('time', 'time'), ('shadows', 'shadows'),
                           ('ambient_occlusion', 'darker corners and gaps')):
            form.addRow('', bound.check(session, name, text))
        return group

    def _projection(self):
        box = QComboBox(toolTip='parallel rays or perspective')
        box.addItem('parallel', True)
        box.addItem('perspective', False)
        box.activated.connect(lambda row: self.session.set_parallel(box.itemData(row)))
        self.session.settings_changed.connect(
            lambda: box.setCurrentIndex(0 if self.session.settings.camera.parallel else 1))
        return box

    def _take_model(self):
        scene = self.session.scene
        if scene:
            fields = [(name, f'{name} [{scene_fields.FIELDS[name].unit}]' if scene_fields.FIELDS[name].unit else name)
                      for name in scene.fields()]
            self.field.set_options([('plain', 'plain'), *fields])
            for row, name in enumerate(scene.fields(), 1):
                self.field.setItemData(row, scene_fields.FIELDS[name].meaning, Qt.ToolTipRole)
        self.field.show_setting()

    def _show_range(self):
        settings = self.session.settings
        is_fixed = not isinstance(settings.range, str)
        self.range.setCurrentIndex(2 if is_fixed else ('frame', 'run').index(settings.range))
        shown = settings.range if is_fixed else self.session.range
        for edit, value in zip((self.low, self.high), shown or (0, 1)):
            edit.show_value(value)
            edit.setEnabled(settings.colour != 'plain')

    def _range_chosen(self, row):
        value = self.range.itemData(row)
        self.session.change(range=value if value != 'fixed' else self._typed_range())

    def _fixed_range(self, value):
        self.session.change(range=self._typed_range())

    def _typed_range(self):
        return [self.low.value(), self.high.value()]


def _group(title):
    group = QGroupBox(title)
    form = QFormLayout(group)
    form.setFieldGrowthPolicy(QFormLayout.ExpandingFieldsGrow)
    form.setContentsMargins(6, 4, 6, 4)
    form.setVerticalSpacing(4)
    return group, form


def _same(values):
    return [(value, value) for value in values]


def _pair(choice, scale):
    row = QHBoxLayout()
    row.addWidget(choice, 3)
    row.addWidget(scale, 1)
    return row
