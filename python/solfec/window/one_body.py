"""A scene of one body and its contacts: its figures and histories, found without the other bodies."""

import numpy as np

from solfec.scene import Scene


class OneBody:
    """A source of frames with nothing but a body and its contacts and joints; see body_scene()."""

    def __init__(self, source, model, id):
        self.source, self.id = source, id
        self.definitions = np.flatnonzero(model.bodies.id == id)
        self.model = model.part(self.definitions)
        self.state = None  # the next frame, when it is known already

    times = property(lambda self: self.source.times)

    def arrays(self, number):
        state, self.state = self.state, None
        return self.source.body_arrays(number, self.id) if state is None else state

    def definition_columns(self, begin=0):
        raise NotImplementedError('definitions come with the model')

    def definitions_until(self, number):
        return int(np.searchsorted(self.definitions, self.source.definitions_until(number)))

    def bulk_materials(self):
        return self.source.bulk_materials()

    def nodal_stress(self, number):
        state = self.source.arrays(number)
        begin = int(state.nodes[:np.searchsorted(state.ids, self.id)].sum(dtype=int))
        stress = self.source.nodal_stress(number)
        return stress[begin:begin + int(state.nodes[state.ids == self.id].sum(dtype=int))]

    def rank_of(self, number, centers):
        return self.source.rank_of(number, centers)


def body_scene(scene, id):
    """A Scene of one of the bodies that a scene shows, in its frame; frame() shows others."""
    source = OneBody(scene.source, scene.model, id)
    source.state = scene.state.of_body(id)
    return Scene(source, scene.number, source.model)
