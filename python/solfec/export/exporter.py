"""One export: frames, bodies and fields of results to the files of a format."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from solfec.export import gltf, stl, vtkhdf, xdmf
from solfec.export.grids import (CONTACT_DATA, JOINT_DATA, TENSOR_ORDER, MeshGrids, bodies_grid, contacts_grid,
                                 default_fields, joints_grid, shape_grid)
from solfec.export.output import Output
from solfec.export.selection import SettingError, choose_bodies, choose_frames
from solfec.export.shapes import ShapeTable
from solfec.export.tessellation import MOST_DETAIL, detail_for
from solfec.results import BODY_KINDS
from solfec.scene import Scene
from solfec.scene_fields import FIELDS, STRESSES

if TYPE_CHECKING:
    from solfec.scene import Source

SETS = ('meshes', 'bodies', 'contacts', 'joints')
SUFFIXES = (*xdmf.SUFFIXES, *vtkhdf.SUFFIXES, *gltf.SUFFIXES, *stl.SUFFIXES)


@dataclass
class Settings:
    """What to export, and how.

    frames       None: all (of STL: the last one); or a dictionary of arguments of selection.choose_frames
    only, hide   texts that mean bodies (body_names.bodies_named)
    bodies       a mask of definitions in place of these
    fields       names of fields (scene_fields.FIELDS); None: grids.default_fields
    contacts     names of the data of contacts (grids.CONTACT_DATA) and joints
    sets         which of SETS to write
    points       bodies as points for "3D Glyphs" in place of meshes, save those of finite elements
    static       VTKHDF of version 1.0
    detail       of balls (tessellation.unit_sphere); None: by their number
    force        replaces files that are no exports
    """
    frames: dict | None = None
    only: tuple = ()
    hide: tuple = ()
    bodies: np.ndarray | None = None
    fields: tuple | None = None
    contacts: tuple = tuple(CONTACT_DATA)
    sets: tuple = SETS
    points: bool = False
    static: bool = False
    detail: int | None = None
    force: bool = False


@dataclass
class Exported:
    """What was written."""
    files: list[str]
    times: np.ndarray   # of the frames [s]
    bodies: int         # of the frame; of several frames those that may be in one
    lost: float         # largest part of a stretch of pseudo-rigid bodies that scales along axes do not have


def check(path, settings):
    """SettingError when the settings and the format do not go together."""
    suffix = os.path.splitext(path)[1]
    if suffix not in SUFFIXES:
        raise SettingError('path', 'the name of the file must end with one of %s; got %s' % (', '.join(SUFFIXES), path))
    for name in settings.fields or ():
        if name not in FIELDS:
            raise SettingError('fields', 'unknown field %r; there are: %s' % (name, ', '.join(FIELDS)))
    for name in settings.sets:
        if name not in SETS:
            raise SettingError('sets', 'unknown set %r; there are: %s' % (name, ', '.join(SETS)))
    if settings.detail is not None and not 0 <= settings.detail <= MOST_DETAIL:
        raise SettingError('detail', 'the detail of balls must be 0 to %d; got %d' % (MOST_DETAIL, settings.detail))
    is_grid = suffix in (*xdmf.SUFFIXES, *vtkhdf.SUFFIXES)
    for name, given in (('fields', settings.fields is not None), ('points', settings.points),
                        ('sets', tuple(settings.sets) != SETS)):
        if given and not is_grid:
            raise SettingError(name, '%s files have no fields, points and sets: leave these options out' % suffix)
    if settings.static and suffix not in vtkhdf.SUFFIXES:
        raise SettingError('static', 'static files are .hdf or .vtkhdf; got %s' % path)
    if settings.detail is not None and (suffix in gltf.SUFFIXES or settings.points):
        raise SettingError('detail', 'balls share one mesh here: leave the detail of balls out')
    if not settings.sets:
        raise SettingError('sets', 'no set is chosen; there are: %s' % ', '.join(SETS))
    if is_grid and settings.fields is not None and not {'meshes', 'bodies'} & set(settings.sets):
        raise SettingError('fields', 'contacts and joints have no fields of bodies: leave the fields out')
    if settings.points and 'bodies' not in settings.sets:
        raise SettingError('points', 'points are of the set bodies, which is not chosen')


def export(source: Source, path: str, settings: Settings | None = None,
           progress: Callable[[int, int], Any] = lambda done, all: None) -> Exported:
    """Writes an export of `source` (whatever Scene takes); the format is that of the end of `path`.

    progress(done, all) is called after each frame. Returns Exported. Errors are ValueError (SettingError) and
    OSError (WriteError) with one line; no file is left of an export that fails.
    """
    settings = settings or Settings()
    check(path, settings)
    scene = Scene(source)
    suffix = os.path.splitext(path)[1]
    is_stl = suffix in stl.SUFFIXES
    frames = choose_frames(scene.times, **settings.frames) if settings.frames else (
        [len(scene.times) - 1] if is_stl else list(range(len(scene.times))))
    if is_stl and len(frames) > 1:
        raise SettingError(None, 'an STL file has one frame; %d are chosen' % len(frames))
    bodies = settings.bodies if settings.bodies is not None else choose_bodies(
        scene, settings.only, settings.hide)
    detail = settings.detail
    if detail is None:
        detail = detail_for(bodies[scene.model.balls.row].sum())

    def done(count):
        progress(count, len(frames))

    lost = 0.0
    with Output(settings.force) as output:
        if is_stl:
            stl.write(output, path, scene.frame(frames[0]), bodies, detail)
        elif suffix in gltf.SUFFIXES:
            shapes = ShapeTable(scene.model)
            lost = gltf.write(output, path, scene, frames, bodies, shapes, done)
        else:
            lost = _write_grids(output, path, scene, frames, bodies, detail, settings, done)
    count = bodies[scene.rows].sum() if len(frames) == 1 else len(np.unique(scene.model.bodies.id[bodies]))
    return Exported(output.names(), scene.times[frames], int(count), lost)


def _write_grids(output, path, scene, frames, bodies, detail, settings, done):
    """XDMF and VTKHDF."""
    names = tuple(settings.fields) if settings.fields is not None else default_fields(scene, bodies)
    shapes = ShapeTable(scene.model)
    meshes = MeshGrids(scene, bodies, names, detail, deformable_only=settings.points)
    if os.path.splitext(path)[1] in xdmf.SUFFIXES:
        writer = xdmf.XdmfWriter(output, path, _notes(scene, names))
    elif settings.static:
        writer = vtkhdf.StaticWriter(output, path, frames)
    else:
        writer = vtkhdf.TransientWriter(output, path)
    lost = 0.0
    for count, number in enumerate(frames):
        scene.frame(number)
        grids = meshes.grids() if 'meshes' in settings.sets else []
        if 'bodies' in settings.sets:
            grid, left_out = bodies_grid(scene, bodies, names, shapes)
            grids.append(grid)
            lost = max(lost, left_out if settings.points else 0)
        if 'contacts' in settings.sets:
            grids.append(contacts_grid(scene, bodies, {name: CONTACT_DATA[name] for name in settings.contacts}))
        if 'joints' in settings.sets:
            grids.append(joints_grid(scene, bodies, {name: get for name, get in JOINT_DATA.items()
                                                    if name in (*settings.contacts, 'kind')}))
        writer.add(scene.time, grids)
        output.check()
        done(count + 1)
    if settings.points:
        if not isinstance(writer, xdmf.XdmfWriter):  # VTKHDF 2.0 has no blocks
            shape_writer = xdmf.XdmfWriter(output, os.path.splitext(path)[0] + '.xdmf', {}, '-shapes.h5')
        else:
            shape_writer = writer
        shape_writer.add_shapes([shape_grid(number, shape) for number, shape in enumerate(shapes.shapes)])
    writer.end()
    return lost


def _notes(scene, names):
    """Meanings of fields and of the numbers of categories, for whoever opens the file."""
    notes = {}
    for name in names:
        of = scene.field(name)
        meaning = 'Cauchy stress: ' + ', '.join(STRESSES[k] for k in TENSOR_ORDER) if name == 'stress' else of.meaning
        notes[name] = meaning + (' [%s]' % of.unit if of.unit else '')
        if of.categories:
            notes[name] += ': ' + ', '.join('%d %s' % pair for pair in enumerate(of.categories))
    notes['kinds of bodies'] = ', '.join('%d %s' % pair for pair in enumerate(BODY_KINDS))
    return notes
