# Made from the documentation of the commands by docs/make_language.py: change it there.

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar, Union, overload

from numpy.typing import NDArray

__version__: str

# Lists, tuples and arrays: numbers; points or rows of numbers, nested or not; integers in the same way.
_Vector = Union[Sequence[float], NDArray[Any]]
_Points = Union[Sequence[Union[float, _Vector]], NDArray[Any]]
_Integers = Union[Sequence[Union[int, Sequence[int], NDArray[Any]]], NDArray[Any]]
_Shape = Union['CONVEX', 'MESH', 'SPHERE', 'ELLIP', Sequence['_Shape']]
_Solver = Union['GAUSS_SEIDEL_SOLVER', 'NEWTON_SOLVER', 'AUTO_SOLVER', 'NONSMOOTH_SOLVER', 'CONVEX_SOLVER',
                'PENALTY_SOLVER']
_AnyShape = TypeVar('_AnyShape', bound=_Shape)
_Solid = TypeVar('_Solid', 'CONVEX', 'MESH', 'SPHERE', 'ELLIP')


class AUTO_SOLVER:
    """Creates a solver that needs no tuning: accelerated Gauss-Seidel, and where that is slow Newton's methods.

    meritval  value of the merit function at which a step has converged, > 0 (default: 1E-8)
    maxiter   bound on the number of sweeps and Newton steps together of a solve, > 0 (default: 1000);
              steps with joints may take several
    failure   what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
    data      data for the callback; a tuple is expanded into arguments
    callback  value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

    Accelerated sweeps, a quasi-Newton method and a proximal Newton method take turns, each from where it was left, as
    long as it gets on; the proximal one, and interior points before it, where a few of its steps take less work than all
    before them. A step that does not converge takes the best reactions found.

    Members, read only: error, 'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED' (the last two of the last
    sweeps); failure; iters, sweeps and Newton steps in the last step; ntsteps and path are of its last solve, of which
    steps with joints may take several: Newton steps, and what was done, tuples (method, iterations, merit at their end)
    with the methods 'GS-AA' (accelerated sweeps), 'BB' (projected gradients), 'PQN' (quasi-Newton), 'PROXIMAL', 'IPM'
    (interior points), and 'BALANCE' (of quasi-static steps of deformable bodies).
    Some more sweeps follow where the first ones reach meritval, so that reactions of contacts that last do not drift.
    Quasi-static steps go on to 1E-10 of meritval where that takes little work; they are 'OK' without it, too.
    Members, read and write: meritval, maxiter; itershist: assign 'ON' to record iters of each step, 'OFF' to stop;
    reads as the list (None when it was never switched on).
    """
    def __init__(self, meritval: float = 1E-8, maxiter: int = 1000,
                 failure: Literal['CONTINUE', 'EXIT', 'CALLBACK'] = 'CONTINUE', data: Any = None,
                 callback: Callable[..., Any] | None = None) -> None: ...
    @property
    def failure(self) -> Literal['CONTINUE', 'EXIT', 'CALLBACK']:
        """Failure action."""
    @property
    def error(self) -> str:
        """Outcome of the last step."""
    @property
    def iters(self) -> int:
        """Sweeps and Newton steps in the last step."""
    meritval: float
    """Value of the merit function."""
    maxiter: int
    """Bound on the iterations."""
    itershist: Any
    """Sweeps and Newton steps of each step."""
    @property
    def ntsteps(self) -> int:
        """Newton steps in the last step."""
    @property
    def path(self) -> list[tuple[str, int, float]]:
        """What was done in the last step: tuples (method, iterations, merit at their end)."""


def BACKWARD(solfec: SOLFEC, steps: int) -> None:
    """Steps backward through the frames of results. Ignored in 'WRITE' mode.

    solfec  SOLFEC object
    steps   number of frames, > 0
    """


def BARRIER() -> None:
    """Waits until all ranks have reached it; an error if one reaches another command or has built another model."""


class BODY:
    """Creates a body.

    solfec    SOLFEC object
    kind      'OBSTACLE' (moves as prescribed by INITIAL_VELOCITY and SET_*), 'RIGID', 'PSEUDO_RIGID' (one
              deformation gradient for the whole body) or 'FINITE_ELEMENT'
    shape     (emptied) CONVEX, MESH, SPHERE or ELLIP object, or a list of them; of a FINITE_ELEMENT body one
              MESH object, or CONVEX objects in `mesh`. Mass is that of all objects: where they overlap it counts twice
    material  BULK_MATERIAL object or its label
    label     string (default: none)

    Of a FINITE_ELEMENT body (checked and ignored for the others):

    form      'TL' (default): large strain, Saint Venant-Kirchhoff; 'BC': small strain in axes that turn with the
              body, much cheaper per step
    mesh      (emptied) MESH object, as ROUGH_HEX makes it: elements that move the convexes of `shape`. They must
              contain all of it, and may be larger; the part of the shape inside an element defines its mass and
              stiffness. Elements that contain nothing of the shape are left out, with their nodes; the others keep
              their order in conf and velo. Volume and surface identifiers are those of `shape`. Two convexes touch in
              eight points at most: make what is pressed over an area of several. Default: `shape` is the mesh itself
    elements  'ENHANCED' (default): elements that do not lock when they are nearly incompressible, nor hexahedra and
              wedges in bending; 'PLAIN': fully integrated displacement elements. Elements of `mesh` that the
              shape does not fill are always plain

    Returns a BODY object.

    Members, read only: kind, label, mass [kg], volume [m^3], center [m], tensor (nine numbers column-wise:
    inertia tensor of a RIGID body or OBSTACLE, Euler tensor of a PSEUDO_RIGID one [kg m^2]), material
    (label), id, constraints (list), ncon; mesh, of a FINITE_ELEMENT body a copy of its mesh as it was made (a MESH
    object with nodes in the order of conf), None of others; conf and velo:

      kind          conf                                        velo
      RIGID         rotation column-wise (9), mass centre (3)   referential angular velocity (3), velocity
                                                                of the mass centre (3)
      PSEUDO_RIGID  deformation gradient column-wise (9),       its rate column-wise (9), velocity of the
                    mass centre (3)                             mass centre (3)
      FINITE_ELEMENT  coordinates of the nodes                  their velocities
      OBSTACLE      None                                        None

    Members, read and write: scheme, 'RIG_POS', 'RIG_NEG' or 'RIG_IMP' (default) of a RIGID body, 'DEF_EXP' (default),
    'DEF_LIM' (damps what the step does not resolve, of held bodies more), 'DEF_LIM2' (damps more) or 'DEF_IMP'
    (conserves energy; not of the form 'BC') of a PSEUDO_RIGID or FINITE_ELEMENT one, 'DEFAULT'; damping,
    stiffness-proportional, >= 0 (default: 0) [s] (a QUASI_STATIC analysis needs neither, and ignores them with a
    warning); selfcontact, 'OFF' (default) or 'ON': surface elements of a FINITE_ELEMENT body that share no node (or
    convexes that share no vertex) touch each other; nodecontact, 'OFF' (default) or 'ON': contact with a
    FINITE_ELEMENT body whose shape is its mesh is at the nodes of its surface, each against the nearest face of the
    other body that faces it, with the node's share of the faces at it as area, in place of one contact per pair of
    elements. It suits flat or fine meshes on larger bodies: objects smaller than the node spacing can pass undetected.
    If both bodies have it, the nodes of both are used.

    On several ranks a body lives on one of them, an OBSTACLE on all. conf, velo, mesh, constraints and ncon are None
    elsewhere; the other members have their values on every rank in objects that BODY has returned (in others, such
    as those of BYLABEL, they may be None). Commands on a body act where it lives.
    """
    def __init__(self, solfec: SOLFEC,
                 kind: Literal['OBSTACLE', 'RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT'],
                 shape: _Shape, material: BULK_MATERIAL | str, label: str | None = None,
                 form: Literal['TL', 'BC'] = 'TL', mesh: MESH | None = None,
                 elements: Literal['ENHANCED', 'PLAIN'] = 'ENHANCED') -> None: ...
    @property
    def kind(self) -> Literal['OBSTACLE', 'RIGID', 'PSEUDO_RIGID', 'FINITE_ELEMENT']:
        """Kind of body."""
    @property
    def label(self) -> str:
        """Label ('' if none)."""
    @property
    def id(self) -> int:
        """Number of the body, never given again."""
    @property
    def material(self) -> str:
        """Label of the bulk material that it was created with (MATERIAL gives volumes others)."""
    @property
    def mass(self) -> float:
        """Mass [kg]."""
    @property
    def volume(self) -> float:
        """Reference volume [m^3]."""
    @property
    def center(self) -> tuple[float, float, float]:
        """Reference mass centre [m]."""
    @property
    def tensor(self) -> tuple[float, ...]:
        """Inertia or Euler tensor, column-wise [kg m^2]."""
    @property
    def conf(self) -> tuple[float, ...] | None:
        """Configuration."""
    @property
    def velo(self) -> tuple[float, ...] | None:
        """Velocity."""
    @property
    def mesh(self) -> MESH | None:
        """Copy of the mesh of a FINITE_ELEMENT body."""
    @property
    def constraints(self) -> list[CONSTRAINT]:
        """List of the constraints on this body."""
    @property
    def ncon(self) -> int:
        """Number of constraints on this body."""
    scheme: str
    """Time integration scheme."""
    damping: float
    """Stiffness-proportional damping [s]."""
    selfcontact: Literal['ON', 'OFF']
    """'ON' or 'OFF': contact of a FINITE_ELEMENT body with itself."""
    nodecontact: Literal['ON', 'OFF']
    """'ON' or 'OFF': contact at the nodes of a FINITE_ELEMENT body."""


def BODY_CHARS(body: BODY, mass: float, volume: float, center: _Vector, tensor: _Vector) -> None:
    """Overwrites the reference characteristics of a body.

    body    BODY object
    mass    > 0 [kg]
    volume  > 0 [m^3]
    center  mass centre (x, y, z) [m]
    tensor  nine numbers column-wise: inertia tensor of a RIGID body, whose principal moments are no larger
            than the sum of the other two, Euler tensor otherwise; symmetric, positive definite [kg m^2]

    A FINITE_ELEMENT body is an error: its characteristics are those of its mesh and its materials.

    Acts from the next step on, whenever it is called. The body goes on as it moved: its new centre has the velocity of
    the point there.
    """


def BOX(center: _Vector, sizes: _Vector, volid: int = 0, surfids: int | _Integers = 0,
        convex: CONVEX | None = None) -> CONVEX:
    """Creates a box with edges along x, y, z (ROTATE turns it).

    center   (x, y, z) [m]
    sizes    lengths of its edges (a, b, c), each > 0 [m]
    volid    volume identifier (default: 0)
    surfids  six surface identifiers as for HEX, bottom (z-), x-, y+, x+, y-, top (z+), or one for all faces (default: 0)
    convex   CONVEX object (emptied) to which the box is appended

    Returns a CONVEX object.
    """


class BULK_MATERIAL:
    """Creates a bulk material.

    solfec   SOLFEC object
    model    'KIRCHHOFF' (default): Saint Venant-Kirchhoff
    label    string (default: 'BULK_MATERIAL_i'); a material with this label is overwritten, and bodies
             that use it follow (their masses stay)
    young    Young's modulus, > 0 (default: 1E6) [Pa]
    poisson  Poisson's coefficient, above -1 and at most 0.5 (default: 0.25); below 0.5 for bodies that deform
    density  at least 1E-100 (default: 1E3) [kg/m^3]

    Members, read only: model, label. Read and write: young, poisson, density (of bodies made later). Stresses that
    are asked for are those of the present young and poisson, in frames of before a change, too; with MATERIAL, which
    gives a body another material, each frame keeps its own.
    """
    def __init__(self, solfec: SOLFEC, model: Literal['KIRCHHOFF'] = 'KIRCHHOFF',
                 label: str | None = None, young: float = 1E6, poisson: float = 0.25,
                 density: float = 1E3) -> None: ...
    @property
    def model(self) -> Literal['KIRCHHOFF']:
        """'KIRCHHOFF'."""
    @property
    def label(self) -> str:
        """Label."""
    young: float
    """Young's modulus [Pa]."""
    poisson: float
    """Poisson's coefficient."""
    density: float
    """Density [kg/m^3]."""


def BYLABEL(solfec: SOLFEC, kind: Literal['SURFACE_MATERIAL', 'BULK_MATERIAL', 'BODY'], label: str) -> SURFACE_MATERIAL | BULK_MATERIAL | BODY | None:
    """Finds a labelled object.

    solfec  SOLFEC object
    kind    'SURFACE_MATERIAL', 'BULK_MATERIAL' or 'BODY'
    label   string

    Returns the object, or None.
    """


def CALLBACK(solfec: SOLFEC, interval: float, data: Any, callback: Callable[..., Any]) -> None:
    """Sets a function that is called during runs.

    solfec    SOLFEC object
    interval  > 0 [s] between two calls; the first call comes after the next step
    data      passed to the callback; a tuple is expanded into arguments, None into none
    callback  value = callback (data); when it returns 0 the run ends

    There is one callback per SOLFEC object; a later call replaces it.

    On several ranks each of them calls it, and the run ends when it returns 0 on one. Changes made on one rank only are
    applied to all at its end: bodies created or deleted, constraints deleted, obstacles changed, contact excluded.
    Settings and materials must be changed by all ranks alike.
    """


class CONSTRAINT:
    """A constraint: a contact, found in SOLFEC.constraints and BODY.constraints, or a joint, which is what
    the commands that make joints return.

    Members, read only:
    kind    'CONTACT', 'FIXPNT' (fixed point), 'FIXDIR' (fixed direction), 'VELODIR' (prescribed motion),
            'VELODIR3' (the same along three directions), 'RIGLNK' (rigid link), 'SPRING' or 'GLUE' (nodes of
            two parts, see PARTITION)
    R       average reaction over the last step (T1, T2, N) in the local base [N]; it acts on the first
            adjacent body, -R on the second
    U       relative velocity (first minus second body) at the end of the step, same base [m/s]
    V       the same at its start
    base    local base row by row: (eT1x, eT2x, eNx, eT1y, eT2y, eNy, eT1z, eT2z, eNz); right-handed, the
            normal is outward of the second body. That of a FIXPNT and of GLUE are the axes of space, the
            normal of FIXDIR and VELODIR is their direction, that of a RIGLNK points from its second point to
            the first, so does that of a SPRING without direction. That of a VELODIR3 is the given one.
    point   (x, y, z) where the reaction acts [m]; RIGLNK and SPRING: six numbers, both points
    area    contact area [m^2]
    gap     negative in penetration [m]
    merit   share in the merit function
    adjbod  tuple of the two bodies, or the body that is joined to space
    matlab  label of the surface material
    spair   surface identifiers (surf1, surf2)
    damage  of a contact that is glued: the share of its fracture energy that is used up, from 0 to 1; of all
            others None

    Of a joint area and gap are zero, matlab and spair None. A CONSTRAINT object of a contact or joint that
    has ended raises ValueError.
    """
    @property
    def kind(self) -> Literal['CONTACT', 'FIXPNT', 'FIXDIR', 'VELODIR', 'VELODIR3', 'RIGLNK', 'SPRING', 'GLUE']:
        """'CONTACT', 'FIXPNT', 'FIXDIR', 'VELODIR', 'VELODIR3', 'RIGLNK', 'SPRING' or 'GLUE'."""
    @property
    def R(self) -> tuple[float, float, float]:
        """Average reaction (T1, T2, N) [N]."""
    @property
    def U(self) -> tuple[float, float, float]:
        """Relative velocity at the end of the step (T1, T2, N) [m/s]."""
    @property
    def V(self) -> tuple[float, float, float]:
        """Relative velocity at the start of the step (T1, T2, N) [m/s]."""
    @property
    def base(self) -> tuple[float, ...]:
        """Local base, row by row."""
    @property
    def point(self) -> tuple[float, ...]:
        """Point where the reaction acts (on the first body, if they do not touch yet); of a link or spring both points [m]."""
    @property
    def area(self) -> float:
        """Contact area [m^2]."""
    @property
    def gap(self) -> float:
        """Gap, negative in penetration [m]."""
    @property
    def merit(self) -> float:
        """Share in the merit function."""
    @property
    def adjbod(self) -> BODY | tuple[BODY, BODY]:
        """The two bodies, or the one."""
    @property
    def matlab(self) -> str | None:
        """Label of the surface material."""
    @property
    def damage(self) -> None:
        """Share of the fracture energy that glue has used up, or None."""
    @property
    def spair(self) -> tuple[int, int] | None:
        """Surface identifiers."""


def CONTACT_EXCLUDE_BODIES(body1: BODY, body2: BODY) -> None:
    """Switches contact off between two bodies.

    body1, body2  BODY objects
    """


def CONTACT_EXCLUDE_OBJECTS(body1: BODY, point1: _Vector, body2: BODY, point2: _Vector) -> None:
    """Switches contact off between two geometric objects: elements, convex polyhedra, balls, ellipsoids.

    body1, body2    BODY objects
    point1, point2  reference points (x, y, z) inside of the two objects [m]
    """


def CONTACT_EXCLUDE_SURFACES(solfec: SOLFEC, surf1: int, surf2: int) -> None:
    """Switches contact off between two surfaces.

    solfec        SOLFEC object
    surf1, surf2  surface identifiers
    """


def CONTACT_SPARSIFY(solfec: SOLFEC, threshold: float = 0.01, minarea: float = 0,
                     mindist: float | None = None) -> None:
    """Sets how redundant contact points are filtered out.

    solfec     SOLFEC object
    threshold  from 0 to 1 (default: 0.01). Of two contacts of one pair of bodies, between the same or
               neighbouring geometric objects (elements or polyhedra that share a vertex), the one is dropped
               whose area is below threshold times the other's. 0 keeps all.
    minarea    contacts of smaller area are dropped (default: 0) [m^2]
    mindist    contacts of one pair of bodies nearer than twice this distance are one (default:
               GEOMETRIC_EPSILON) [m]
    """


class CONVEX:
    """Creates a convex polyhedron.

    vertices  list [x0, y0, z0, x1, y1, z1, ...] or [(x0, y0, z0), ...] of at least 4 vertices [m]
    faces     list [n, v1, ..., vn, surf, ...] or [[n, v1, ..., vn, surf], ...]: number of vertices, the vertices
              counter-clockwise when seen from outside, surface identifier; for each of at least 4 faces
    volid     volume identifier (integer; default: 0)
    convex    CONVEX object (emptied) to which the polyhedron is appended

    Returns a CONVEX object: one polyhedron or a collection of them.

    Members: nver, number of vertices of the last polyhedron (read only); vertex (n), its n-th vertex as
    a tuple (x, y, z).

    Errors: ValueError when the faces do not close a convex solid.
    """
    def __init__(self, vertices: _Points, faces: _Integers, volid: int = 0,
                 convex: CONVEX | None = None) -> None: ...
    @property
    def nver(self) -> int:
        """Number of vertices."""
    def vertex(self, n: int) -> tuple[float, float, float]:
        """coordinates (x, y, z) of the n-th vertex [m]."""


class CONVEX_SOLVER:
    """Creates a solver of the convex problem of a step (cone complementarity problem, CCP; Anitescu and Tasora).

    method    'APGD' (default), accelerated projected gradients with restarts; 'GS', projected Gauss-Seidel; 'SSOR', the
              same forwards and backwards in turns; 'JACOBI', with the reactions of the sweep before; 'IPM', an
              interior-point method, of few iterations with a sparse factorisation each, which starts from zero always;
              'BB', projected gradients with the steps of Barzilai and Borwein
    omega     length of a step, over 3 / trace (W_aa) of each contact, > 0 (default: 1, for 'JACOBI' 0.2); with 'GS' and
              omega > 1 sweeps are over-relaxed (SOR). Too great a value diverges: below 2/3 'GS' and 'SSOR' never do,
              'JACOBI' needs less than about 2 over the largest number of contacts of a body. Of 'GS', 'SSOR' and 'JACOBI'.
    lam       share of a step that is taken (lambda), > 0 and <= 1 (default: 1); likewise
    meritval  value of the merit function, of the convex law, at which a step has converged, > 0 (default: 1E-8)
    maxiter   bound on the number of iterations of a solve, > 0 (default: 10000);
              steps with joints may take several
    failure   what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
    data      data for the callback; a tuple is expanded into arguments
    callback  value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

    Contacts have another law than that of Coulomb, by which a step is a convex programme: one that slides at the velocity
    U_T opens at mu |U_T|. Bodies that slide are lifted, beds that are sheared dilate: docs/convex.md says by how much, and
    when this solver is the better choice. Joints are rows of the same problem. Contacts of model SPRING_DASHPOT, springs
    (PUT_SPRING) and, without SOLFEC.joint_correction, links (PUT_RIGID_LINK) end a RUN with an error.

    Members, read only: method; omega and lam, None where the method has none; error, 'OK' or 'DIVERGED'; failure; iters,
    iterations in the last step.
    Members, read and write: meritval, maxiter; itershist: assign 'ON' to record iters of each step, 'OFF' to stop;
    reads as the list (None when it was never switched on).
    """
    def __init__(self, method: Literal['APGD', 'GS', 'SSOR', 'JACOBI', 'IPM', 'BB'] = 'APGD',
                 omega: float = 1, lam: float = 1, meritval: float = 1E-8, maxiter: int = 10000,
                 failure: Literal['CONTINUE', 'EXIT', 'CALLBACK'] = 'CONTINUE', data: Any = None,
                 callback: Callable[..., Any] | None = None) -> None: ...
    @property
    def failure(self) -> Literal['CONTINUE', 'EXIT', 'CALLBACK']:
        """Failure action."""
    @property
    def error(self) -> str:
        """Outcome of the last step."""
    @property
    def iters(self) -> int:
        """Iterations in the last step."""
    meritval: float
    """Value of the merit function."""
    maxiter: int
    """Bound on the iterations."""
    itershist: Any
    """Iterations of each step."""
    @property
    def method(self) -> Literal['APGD', 'GS', 'SSOR', 'JACOBI', 'IPM', 'BB']:
        """Name of the method."""
    @property
    def omega(self) -> float | None:
        """Length of a step, or None."""
    @property
    def lam(self) -> float | None:
        """Share of a step that is taken, or None."""


@overload
def COPY(shape: _Solid) -> _Solid:
    """Copies a shape.

    shape  CONVEX, MESH, SPHERE or ELLIP object, or a list of them

    Returns a copy: one object when the solids are all polyhedra or all balls, or when there is only one;
    otherwise a list of objects.
    """
@overload
def COPY(shape: _Shape) -> Any:
    """Copies a shape.

    shape  CONVEX, MESH, SPHERE or ELLIP object, or a list of them

    Returns a copy: one object when the solids are all polyhedra or all balls, or when there is only one;
    otherwise a list of objects.
    """


def CYLINDER(pnt: _Vector, dir: _Vector, radius: float, nrad: int = 24, volid: int = 0,
             surfids: int | _Integers = 0, convex: CONVEX | None = None) -> CONVEX:
    """Creates a cylinder with flat sides: a convex prism.

    pnt      centre of the bottom (x, y, z) [m]
    dir      axis; its length is that of the cylinder [m]
    radius   of its corners, > 0 [m]
    nrad     number of sides, from 3 to 1000 (default: 24, which have 0.989 of the volume of the round cylinder)
    volid    volume identifier (default: 0)
    surfids  three surface identifiers (bottom, top, side), or one for all faces (default: 0)
    convex   CONVEX object (emptied) to which the cylinder is appended

    Returns a CONVEX object. PIPE makes hollow ones, of hexahedra.
    """


def DELETE(solfec: SOLFEC, object: BODY | CONSTRAINT) -> None:
    """Deletes a body or a constraint.

    solfec  SOLFEC object
    object  (emptied) BODY or CONSTRAINT object. A contact that still overlaps is found again in the next step,
            without its reaction.
    """


def DISPLACEMENT(body: BODY, point: _Vector) -> tuple[float, float, float]:
    """Displacement of a referential point.

    body   BODY object
    point  (x, y, z) [m]

    Returns (dx, dy, dz) [m].
    """


def DISPLAY_POINT(body: BODY, point: _Vector, label: str | None = None) -> None:
    """Marks a point of a body in the window (solfec -v), which moves with it.

    body   BODY object
    point  referential point (x, y, z) [m]
    label  string drawn beside it (default: none)

    HISTORY, DISPLACEMENT and VELOCITY evaluate points.
    """


def DURATION(solfec: SOLFEC) -> tuple[float, float] | float:
    """Time limits of the results.

    solfec  SOLFEC object

    Returns (t0, t1) in 'READ' mode, the current time in 'WRITE' mode [s].
    """


class ELLIP:
    """Creates an ellipsoid with semi-axes along x, y, z (ROTATE turns it).

    center  (x, y, z) [m]
    radii   (rx, ry, rz), each > 0 [m]
    volid   volume identifier (default: 0)
    surfid  surface identifier (default: 0)

    Returns an ELLIP object.

    Members (read only): center, radii, rot (nine numbers, column-wise: directions of the semi-axes).
    """
    def __init__(self, center: _Vector, radii: _Vector, volid: int = 0, surfid: int = 0) -> None: ...
    @property
    def center(self) -> tuple[float, float, float]:
        """Centre (x, y, z) [m]."""
    @property
    def radii(self) -> tuple[float, float, float]:
        """Semi-axes (rx, ry, rz) [m]."""
    @property
    def rot(self) -> tuple[float, ...]:
        """Directions of the semi-axes, column-wise."""


def ENERGY(solfec: SOLFEC, object: SOLFEC | BODY | Sequence[BODY] | None = None) -> tuple[float, float, float, float, float]:
    """Energies.

    solfec  SOLFEC object
    object  SOLFEC object (default), BODY object, or list of BODY objects

    Returns (kinetic, internal, external, contact, friction) [J]: kinetic energy, stored elastic energy, work of
    external forces and of all reactions; the last two are the parts of it done by the normal and by the tangential
    contact reactions. Obstacles have none.
    """


def EXTENTS(solfec: SOLFEC, extents: _Vector) -> None:
    """Bounds the space of the simulation.

    solfec   SOLFEC object
    extents  (xmin, ymin, zmin, xmax, ymax, zmax) [m]; bodies wholly outside of it are deleted
    """


def FCLIB_DUMP(solfec: SOLFEC, path: str, form: Literal['LOCAL', 'GLOBAL'] = 'LOCAL',
               guess: Literal['ON', 'OFF'] = 'OFF') -> None:
    """Writes contacts and joints of the last step to a file of the FCLib layout (HDF5).

    solfec  SOLFEC object
    path    file path; a file that is there is replaced
    form    'LOCAL' (default): W between all constraints; 'GLOBAL': how constraints act on bodies, of which W is made
    guess   'ON': the reactions of the step too, for solvers to begin with; 'OFF' (default)

    The file has W, q and mu of U = W R + q, with U in m/s and R in N. Restitution, cohesion and gaps are part of q; a
    cohesive force is part of the R that solves it. Joints are equality rows after the contacts: three of a fixed point (N,
    T1, T2), one of a fixed direction, a prescribed motion and a link (PUT_RIGID_LINK) in it. The global form is smaller for
    rigid bodies, and larger for finite elements with few contacts. Its velocities v are those of the bodies on which
    constraints act, scaled such that M = I / h, with the time step h; f is zero. Rows and bodies stand in the same order on
    any number of ranks. With joint_correction a target is the velocity with which the joint was closed in the step: it is
    as exact as the solver.

    ValueError for what the form cannot express: springs (PUT_SPRING), links without joint_correction, and contacts of model
    SPRING_DASHPOT (all those of PENALTY_SOLVER). The same before the first step, and in 'READ' mode: results do not hold
    the local dynamics.
    """


def FCLIB_SOLVE(path: str,
                solver: GAUSS_SEIDEL_SOLVER | NEWTON_SOLVER | AUTO_SOLVER | NONSMOOTH_SOLVER | CONVEX_SOLVER,
                tol: float = 1E-4, time_limit: float = 60, cold: Literal['ON', 'OFF'] = 'OFF') -> dict[str, Any]:
    """Solves a problem file of the FCLib layout; the program solfec-solve does the same.

    path        file path
    solver      GAUSS_SEIDEL_SOLVER, NEWTON_SOLVER, AUTO_SOLVER, NONSMOOTH_SOLVER or CONVEX_SOLVER object; tol replaces
                epsilon (of the first), meritval and failure; diagepsilon is 1E-14, and locdyn is ignored; all other
                settings apply; the solver object is left unchanged
    tol         error to be reached, > 0 (default: 1E-4), that of the natural map: with K the cones of friction, n the
                normals and |.| the norm over all rows, |R - P_K (R - U - mu |U_T| n)| / |q|; of CONVEX_SOLVER that of
                the convex law, without mu |U_T| n; of an equality row it is the velocity by which it misses
    time_limit  bound of the time in the solver, > 0 (default: 60) [s]
    cold        'ON': it begins with zero reactions; 'OFF' (default): with the first guess of the file, if there is one

    Returns a dictionary:

    file, contacts, equalities (number of equality rows), solver ('GS', 'PQN', 'AUTO', the name of a method of
    NONSMOOTH_SOLVER, or 'CCP-' with that of a method of CONVEX_SOLVER), tol
    seconds     time in the solver, the median over solves that take 0.1 s together
    iterations  sweeps of the first, iterations of the second, both of the third, iterations of the last
    status      'OK': the error is at most tol; 'TIME': the time limit was reached; 'DIVERGED': neither
    error       the error reached
    R           reactions (T1, T2, N) of all contacts; components of the file are in the order (N, T1, T2)
    l           reactions of all equality rows
    path        of AUTO_SOLVER, what was done: tuples (method, iterations, error at their end)

    A file that cannot be read raises ValueError. On several ranks each rank solves it.
    """


def FIX_DIRECTION(body: BODY, point: _Vector, direction: _Vector, body2: BODY | None = None,
                  point2: _Vector | None = None) -> CONSTRAINT | None:
    """Fixes a point of a body along one direction in space, or relative to a point of another body.

    body       BODY object; of an OBSTACLE without a body2 nothing is made, with a warning
    point      referential point (x, y, z) [m]
    direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
    body2      another BODY object (default: the point is fixed to space)
    point2     its referential point [m]

    The distance of the points along the direction stays what it is now. Returns a CONSTRAINT object of kind
    'FIXDIR', or None where nothing is made. Of two bodies one has to move.
    """


def FIX_POINT(body: BODY, point: _Vector, strength: float | None = None) -> CONSTRAINT | None:
    """Fixes a point of a body in space, where it is now.

    body      BODY object; of an OBSTACLE nothing is made, with a warning
    point     referential point (x, y, z) [m]
    strength  the joint breaks when |R| exceeds it (default: never) [N]

    Returns a CONSTRAINT object of kind 'FIXPNT', or None of an OBSTACLE.
    """


def FIX_SURFACE(body: BODY, surfid: int, directions: Sequence[_Vector] | None = None) -> list[CONSTRAINT]:
    """Fixes the nodes on faces of a mesh in space, where they are now: it clamps the surface of a body.

    body        BODY object of kind 'FINITE_ELEMENT' whose shape is one MESH object
    surfid      surface identifier of the faces
    directions  list of one to three directions (dx, dy, dz) along which the nodes are fixed, each of non-zero length,
                normalised (default: all directions)

    Each node gets what FIX_POINT makes, or FIX_DIRECTION along each of the directions; nodes that are fixed twice, as on
    the edge of two surfaces, share their reaction. Returns the list of CONSTRAINT objects, in the order of the nodes
    of the mesh, and for each node in that of the directions. On several ranks, after the first RUN, a rank without the
    body knows it only by the object that BODY returned: by another one it gets an empty list.
    """


def FORCE(body: BODY, kind: Literal['SPATIAL', 'CONVECTED'], point: _Vector, direction: _Vector,
          value: float | TIME_SERIES | Callable[..., Any], data: Any = None) -> None:
    """Applies a force to a body.

    body       BODY object, no OBSTACLE
    kind       'SPATIAL': the direction stays; 'CONVECTED': it follows the rotation or deformation of the body (of a
               FINITE_ELEMENT one its mean rotation)
    point      referential point (x, y, z) [m]
    direction  (dx, dy, dz), of non-zero length, normalised
    value      number or TIME_SERIES object [N], or a callback:

                 force = callback (data, q, u, time, step)

               with q = conf and u = velo of the body; a tuple of data is expanded into arguments, no data is
               left out. For a RIGID body it returns nine numbers: spatial force, spatial torque, referential
               torque; for a PSEUDO_RIGID one the twelve of the generalised force conjugate to velo; for a
               FINITE_ELEMENT one a force for each node. Point and direction are then not used. It is called in the
               middle of a step, where nothing can be made, changed or deleted.
    data       data for the callback

    Loads add up and stay for the whole of the run.
    """


def FORWARD(solfec: SOLFEC, steps: int) -> None:
    """Steps forward through the frames of results. Ignored in 'WRITE' mode.

    solfec  SOLFEC object
    steps   number of frames, > 0
    """


class GAUSS_SEIDEL_SOLVER:
    """Creates a nonlinear block Gauss-Seidel solver.

    epsilon      relative change of the reactions in a sweep, > 0 (default: 1, so that the merit alone decides)
    maxiter      bound on the number of sweeps of a solve, > 0 (default: 1000);
                 steps with joints may take several
    meritval     value of the merit function, > 0 (default: 1E-3 where epsilon is given, otherwise 1E-6). Sweeps end when
                 the relative change is at most epsilon and the merit at most meritval. When they end at maxiter the
                 step has still converged if the merit is at most meritval; with 1 or more the merit is not evaluated.
    failure      what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or
                 'CALLBACK'
    diagepsilon  relative accuracy of the diagonal solver (default: 1E-14, that is round-off, for SEMISMOOTH_NEWTON;
                 min (epsilon, meritval, 1E-4) / 100 for the others)
    diagmaxiter  bound on its iterations (default: max (100, maxiter / 100))
    diagsolver   'SEMISMOOTH_NEWTON' (default), 'PROJECTED_GRADIENT', 'DE_SAXCE_FENG' or 'PROJECTED_NEWTON'; if it fails
                 in a row the others are tried, and if all fail the row keeps its reaction
    data         data for the callback; a tuple is expanded into arguments
    callback     value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

    Members, read only: failure; error, 'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED'; iters, sweeps
    in the last step; rerhist and merhist, lists of the relative change and of the merit in each sweep of the last
    solve, of which steps with joints may take several (the merit is exact where the criterion needed it, elsewhere an
    estimate computed within the sweep).
    Members, read and write: epsilon, maxiter, meritval, diagepsilon, diagmaxiter, diagsolver; reverse, 'ON' or
    'OFF' (default): every other sweep runs backwards; memory, the number of pairs of sweeps that Anderson acceleration
    looks back on, from 0 (default: none) to 50: with 5 problems that converge slowly take many times fewer sweeps
    ('SIMPLIFIED' takes contacts once in parallel runs, and has no use for it);
    itershist: assign 'ON' to record the number of sweeps of each step, 'OFF' to stop; reads as the list (None when it was
    never switched on); variant ('FULL', 'MIDDLE_JACOBI', 'BOUNDARY_JACOBI', 'SIMPLIFIED') and innerloops concern parallel
    runs and change nothing in serial ones.
    """
    def __init__(self, epsilon: float = 1, maxiter: int = 1000, meritval: float | None = None,
                 failure: Literal['CONTINUE', 'EXIT', 'CALLBACK'] = 'CONTINUE',
                 diagepsilon: float = 1E-14, diagmaxiter: int | None = None,
                 diagsolver: Literal['SEMISMOOTH_NEWTON', 'PROJECTED_GRADIENT', 'DE_SAXCE_FENG', 'PROJECTED_NEWTON'] = 'SEMISMOOTH_NEWTON',
                 data: Any = None, callback: Callable[..., Any] | None = None) -> None: ...
    @property
    def failure(self) -> Literal['CONTINUE', 'EXIT', 'CALLBACK']:
        """Failure action."""
    @property
    def error(self) -> str:
        """Outcome of the last step."""
    @property
    def iters(self) -> int:
        """Sweeps in the last step."""
    meritval: float
    """Value of the merit function."""
    maxiter: int
    """Bound on the iterations."""
    itershist: Any
    """Sweeps of each step."""
    @property
    def rerhist(self) -> list[float]:
        """Relative change in each sweep."""
    @property
    def merhist(self) -> list[float]:
        """Merit in each sweep."""
    epsilon: float
    """Relative change of the reactions."""
    diagepsilon: float
    """Accuracy of the diagonal solver."""
    diagmaxiter: int
    """Bound on the iterations of the diagonal solver."""
    innerloops: int
    """Inner sweeps per outer one in parallel runs."""
    diagsolver: Literal['SEMISMOOTH_NEWTON', 'PROJECTED_GRADIENT', 'DE_SAXCE_FENG', 'PROJECTED_NEWTON']
    """Diagonal solver."""
    reverse: str
    """Whether every other sweep runs backwards."""
    variant: str
    """Variant of parallel runs."""
    memory: int
    """Pairs of sweeps that Anderson acceleration looks back on."""


def GEOMETRIC_EPSILON(epsilon: float) -> None:
    """Sets the distance below which two points are taken as one.

    epsilon  > 0 (default: 1E-6) [m]; holds for all SOLFEC objects
    """


def GRAVITY(solfec: SOLFEC, vector: _Vector | Sequence[float | TIME_SERIES]) -> None:
    """Sets the gravitational acceleration, which acts on all bodies but obstacles.

    solfec  SOLFEC object
    vector  (gx, gy, gz), each a number or a TIME_SERIES object [m/s^2]; a later call overwrites
    """


def HERE(solfec: SOLFEC, object: BODY | CONSTRAINT) -> bool:
    """Whether an object lives on this rank.

    solfec  SOLFEC object
    object  BODY or CONSTRAINT object

    Returns True or False; also False for a body or constraint that has ended or was deleted. Obstacles live on all
    ranks.
    """


def HEX(nodes: _Points, i: int, j: int, k: int, volid: int = 0, surfids: int | _Integers = 0,
        dx: _Vector | None = None, dy: _Vector | None = None, dz: _Vector | None = None) -> MESH:
    """Creates a mesh of hexahedra between eight corners.

    nodes    list of 24 numbers, or of 8 points (x, y, z): bottom corners 0 to 3 counter-clockwise seen
             from the top, then the top corners 4 to 7 above them [m]; when the volume comes out negative the two are
             exchanged
    i, j, k  numbers of elements along the local axes 0->1, 0->3, 0->4
    volid    volume identifier (default: 0)
    surfids  six surface identifiers, bottom, i-, j+, i+, j-, top, or one for all faces (default: 0)
    dx, dy, dz  relative sizes of the elements along the axes (default: equal)

    Returns a MESH object. A face that crosses itself or is twisted by more than 80 degrees is an error; so is a notch.
    """


def HISTORY(solfec: SOLFEC, list: str | Sequence[Any], t0: float, t1: float, skip: int = 1,
            progress: Literal['ON', 'OFF'] = 'OFF') -> tuple[list[float], ...]:
    """Time histories from results, in 'READ' mode or after a RUN.

    solfec    SOLFEC object
    list      list of items, or one item:
              (body, point, entity)   entity of a referential point: 'DX', 'DY', 'DZ' [m], 'VX', 'VY', 'VZ' [m/s],
                                      'SX', 'SY', 'SZ', 'SXY', 'SXZ', 'SYZ', 'MISES' [Pa]; NaN while the body is
                                      absent
              (object, kind)          energy: 'KINETIC', 'INTERNAL', 'EXTERNAL', 'CONTACT', 'FRICTION' [J]
              (object, entity), (object, direction, pair, entity)
                                      of constraints: 'GAP' smallest gap (0 without contact) [m], 'R' resultant
                                      reaction [N], 'U' average relative velocity [m/s], 'CR' and 'CU' the same of
                                      contacts only; normal components, or along the direction (x, y, z) when it is
                                      not None; between the surfaces pair = (surf1, surf2) when it is not None. Along
                                      a direction the R of bodies is the force that acts on them: (floor, (0, 0, 1),
                                      None, 'CR') is the force by which all bodies press on it. Of a SOLFEC object it is a
                                      sum of reactions on the first body of each pair, which depends on their order.
              'TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL'   timings [s]
              'STEP' [s], 'CONS', 'BODS', 'NEWBODS', 'DELBODS', 'MERIT'
              'GSITERS'               Gauss-Seidel iterations
              'GSCOLORS', 'GSBOT', 'GSMID', 'GSTOP', 'GSINN', 'GSINIT', 'GSRUN', 'GSCOM', 'GSMCOM'
                                      of parallel Gauss-Seidel; zero in serial runs
              'NTITERS'               iterations of the NEWTON_SOLVER; zero for other solvers
              'ASITERS'               sweeps and Newton steps of the AUTO_SOLVER; zero for other solvers
              'FCITERS'               iterations of the NONSMOOTH_SOLVER; zero for other solvers
              'CVITERS'               iterations of the CONVEX_SOLVER; zero for other solvers
              object is a SOLFEC object, a BODY object or a list of BODY objects; also of bodies that were deleted.
    t0, t1    time interval, both ends included; clipped to that of the results [s]. Of one without a frame lists are
              empty, and a warning says so.
    skip      take every skip-th frame, > 0 (default: 1)
    progress  'ON' or 'OFF' (default)

    Returns a tuple of lists (times, values1, values2, ...).
    """


def HULL(points: _Points, volid: int = 0, surfid: int = 0, convex: CONVEX | None = None) -> CONVEX:
    """Creates the convex hull of points.

    points  list [x0, y0, z0, ...] or [(x0, y0, z0), ...] of at least 4 points [m]
    volid   volume identifier (default: 0)
    surfid  surface identifier of all faces (default: 0)
    convex  CONVEX object (emptied) to which the hull is appended

    Returns a CONVEX object. RuntimeError when the hull has no volume.
    """


def IMBALANCE_TOLERANCE(solfec: SOLFEC, tolerance: float, lockdir: Literal['ON', 'OFF'] = 'OFF',
                        degenratio: float = 10, weightfactor: float = 1) -> None:
    """Sets how bodies are divided between the ranks of a run; ignored on one rank.

    solfec        SOLFEC object
    tolerance     largest load of a rank over the average one, >= 1 (without this command: 1.1); above it space is
                  divided anew
    lockdir       'ON': later divisions cut in the directions of the first one; 'OFF' (default)
    degenratio    > 1 (default: 10); bodies whose extents differ by more than this ratio are divided along their own
                  axes
    weightfactor  share of the local dynamics in the load of a body, from 0 to 1 (default: 1)
    """


def INDETERMINACY(solfec: SOLFEC) -> dict[str, Any]:
    """Tells which reactions of the last step are determined by equilibrium, and which are not.

    solfec  SOLFEC object

    Where a model is statically indeterminate, other reactions give the same motion: those of the results are one choice.
    A component counts where the law leaves it to equilibrium: N of a contact that presses; T1 and T2 of one that sticks;
    of one that slides only R_N, as R_T follows it (from 99.9 % of what friction holds on, as in the viewer); the bound
    directions of a joint, the force of a stop of a spring. None counts of an open contact, and of the normal force of a
    spring-dashpot, nor of supports of finite elements, which the integration of their body eliminates (those of DEF_LIM2,
    DEF_IMP, DEF_EXP and QUASI_STATIC that cannot break: theory.md); where these are more than hold it, their reactions are
    those of least norm. With E the directions of all components, W that of the step, changes z of them with E^T W E z = 0
    leave all velocities as they are. A reaction is determined if it is zero in all such z.

    Returns a dictionary:

    bodies       that move, on which these reactions act
    constraints  that have components
    components   their number
    rank         of E^T W E
    degree       of static indeterminacy: components - rank
    deviation    0 where degree is exact; else degree is an estimate with this standard deviation
    resolved     False if the iteration of a large cluster did not come to its end; then nothing of it is certain
    clusters     list of dictionaries with the same entries for each cluster: bodies and reactions that are connected
                 through bodies that move
    reactions    list of dictionaries, for each of SOLFEC.constraints in its order (on several ranks those on this rank):
        constraint  CONSTRAINT object
        normal      whether R_N is determined; None: it is no component
        tangent     the same of T1 and T2 together
        cluster     its place in clusters, or None

    Frames written after it in the same step hold the answer, as those of OUTPUT with determinacy = 'ON' do. Clusters of up
    to 400 components are dealt with by dense matrices, larger ones by projections of random vectors; then degree is exact
    if it, or the number of motions that no reaction resists, is below 64. On several ranks the first one does the work of
    all, with about 300 bytes for each component. An example: viewing/gallery.md; formulas: theory.md.

    ValueError before the first step, when bodies or constraints were made or deleted since, and in 'READ' mode: results
    do not hold W.
    """


def INITIALIZE_STATE(solfec: SOLFEC, path: str, time: float) -> None:
    """Takes configurations and velocities from other results.

    solfec  SOLFEC object; ignored in 'READ' mode
    path    output directory of an analysis with the same bodies in the same order (labels and kinds are checked)
    time    the last frame not after this time is taken [s]

    Reactions start at zero.
    """


def INITIAL_VELOCITY(body: BODY, linear: _Vector, angular: _Vector) -> None:
    """Sets the velocity of a body.

    body     BODY object
    linear   velocity of the mass centre (vx, vy, vz) [m/s]
    angular  angular velocity (wx, wy, wz) [1/s]: in the body's own axes for RIGID bodies and obstacles
             (they coincide with the spatial ones until the body turns), spatial for PSEUDO_RIGID and
             FINITE_ELEMENT bodies

    It acts whenever it is called, during a run too. An OBSTACLE keeps this velocity.
    """


def LOCDYN_DUMP(solfec: SOLFEC, path: str) -> None:
    """Writes the local dynamics of the last step as text: per constraint B, V, U, R and the blocks of W.

    solfec  SOLFEC object
    path    file path; a file that is there is replaced

    ValueError before the first step, and in 'READ' mode: results do not hold the local dynamics.
    """


def MASS_CENTER(shape: _Shape | BODY) -> tuple[float, float, float]:
    """Mass centre of a shape of uniform density, or reference mass centre of a BODY.

    shape  object, list of objects, or a BODY

    Returns (x, y, z) [m].
    """


def MATERIAL(solfec: SOLFEC, body: BODY, volid: int, material: BULK_MATERIAL | str) -> None:
    """Assigns a bulk material to a volume of a body.

    solfec    SOLFEC object
    body      BODY object, not an OBSTACLE
    volid     volume identifier, of solids or of elements of its shape
    material  BULK_MATERIAL object or its label

    Elements of a FINITE_ELEMENT body take density and elastic constants. Of other bodies mass, centre and tensor are
    computed anew from the densities (values set by BODY_CHARS are lost), and a PSEUDO_RIGID body keeps the elastic
    constants with which it was created. Acts from the next step on.
    """


class MESH:
    """Creates a volume mesh.

    nodes     list [x0, y0, z0, ...] or [(x0, y0, z0), ...] of at least 4 nodes [m]
    elements  list [k, n1, ..., nk, volid, ...] or [[k, n1, ..., nk, volid], ...]: number of nodes (4 tetrahedron,
              5 pyramid, 6 wedge, 8 hexahedron), the nodes (base first, then the apex or the opposite face), volume
              identifier; for each element
    surfids   surface identifier of all boundary faces (default: 0), or a list [surf, k, n1, ..., nk, surf, ...] or
              [surf, [k, n1, ..., nk, surf], ...] that begins with it and has exceptions for faces of 3 or 4 nodes

    Returns a MESH object. Elements given inside out are turned; one with a face of four nodes that crosses itself or is
    twisted by more than 80 degrees is an error: its nodes are not in order. So is one with a notch at a node: divide it.
    Nodes that belong to no element are left out, with a warning: those that follow have new numbers. There is a warning,
    too, where elements make several parts without a common node: nodes at one place are not one.

    Members: nnod, number of nodes (read only); node (n), coordinates of the n-th node; nodes_on_surface (surfid),
    list of the numbers of the nodes of all faces with this surface identifier, or None when there are none.
    """
    def __init__(self, nodes: _Points, elements: _Integers, surfids: int | _Integers = 0) -> None: ...
    @property
    def nnod(self) -> int:
        """Number of nodes."""
    def node(self, n: int) -> tuple[float, float, float]:
        """coordinates (x, y, z) of the n-th node [m]."""
    def nodes_on_surface(self, surfid: int) -> list[int] | None:
        """list of the nodes of the faces with this surface identifier."""


def NCPU(solfec: SOLFEC | None = None) -> int:
    """Number of ranks of the run.

    solfec  SOLFEC object; on one rank in 'READ' mode: ranks of the run that wrote its last frame. Otherwise ignored
    """


class NEWTON_SOLVER:
    """Creates a projected quasi-Newton solver (report of 2019, Algorithm 1).

    meritval    value of the merit function at which a step has converged, > 0 (default: 1E-8)
    maxiter     bound on the number of iterations of a solve, > 0 (default: 1000);
                steps with joints may take several
    locdyn      'ON' (default) or 'OFF': without blocks of W, which is applied through the velocities of bodies
    linver      'GMRES' (default), or 'DIAG': rows one by one, under-relaxed, without products with W
    linmaxiter  bound on the iterations of GMRES, m, > 0 (default: 10)
    maxmatvec   bound on the products of all linear steps with W in a step, > 0 (default: 100000)
    epsilon     residual of a linear step over the norm of its right hand side, > 0 (default: 0.25)
    delta       added to the diagonal of linear steps, >= 0 (default: 0) [m/(s N)]. A multiple of 0.01 of the
                average diagonal entry of W (reldelta) suits many models of rigid bodies.
    theta       share of a new step in 'DIAG', > 0, at most 1 (default: 0.25); halved when iterations get worse
    omega       smoothing of the law of contact, > 0 (default: meritval / 1000) [m/s]
    gsflag      'ON' (default) or 'OFF': when the iterations fail, Gauss-Seidel continues from their best reactions,
                with up to maxiter sweeps
    reldelta    'OFF' (default), 'avgWii', 'minWii', 'maxWii': delta is a multiple of the average, the smallest,
                the largest diagonal entry of W
    smooth      Gauss-Seidel sweeps before and after the iterations, >= 0 (default: 0); also named presmooth
    failure     what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
    data        data for the callback; a tuple is expanded into arguments
    callback    value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

    Members, read only: error, 'OK', 'DIVERGED', 'DIAGONAL_DIVERGED' or 'DIAGONAL_FAILED' (the last two of the
    sweeps that follow a failure); failure; iters, iterations in the last step; merhist and mvhist, lists of the merit and
    of the number of products with W after each one of the last solve, of which steps with joints may take several;
    gssweeps, sweeps that followed a failure.
    Members, read and write: all arguments but reldelta, failure, data and callback; theta is at most 0.5 here; itershist:
    assign 'ON' to record the number of iterations of each step, 'OFF' to stop; reads as the list (None when it was never
    switched on).
    """
    def __init__(self, meritval: float = 1E-8, maxiter: int = 1000,
                 locdyn: Literal['ON', 'OFF'] = 'ON', linver: Literal['GMRES', 'DIAG'] = 'GMRES',
                 linmaxiter: int = 10, maxmatvec: int = 100000, epsilon: float = 0.25,
                 delta: float = 0, theta: float = 0.25, omega: float | None = None,
                 gsflag: Literal['ON', 'OFF'] = 'ON',
                 reldelta: Literal['OFF', 'avgWii', 'minWii', 'maxWii'] = 'OFF', smooth: int = 0,
                 failure: Literal['CONTINUE', 'EXIT', 'CALLBACK'] = 'CONTINUE', data: Any = None,
                 callback: Callable[..., Any] | None = None) -> None: ...
    @property
    def failure(self) -> Literal['CONTINUE', 'EXIT', 'CALLBACK']:
        """Failure action."""
    @property
    def error(self) -> str:
        """Outcome of the last step."""
    @property
    def iters(self) -> int:
        """Iterations in the last step."""
    meritval: float
    """Value of the merit function."""
    maxiter: int
    """Bound on the iterations."""
    itershist: Any
    """Iterations of each step."""
    @property
    def merhist(self) -> list[float]:
        """Merit after each iteration."""
    @property
    def mvhist(self) -> list[int]:
        """Products with W of each iteration."""
    @property
    def gssweeps(self) -> int:
        """Sweeps of Gauss-Seidel after a failure."""
    epsilon: float
    """Accuracy of linear steps."""
    omega: float
    """Smoothing [m/s]."""
    linmaxiter: int
    """Bound on the iterations of GMRES."""
    maxmatvec: int
    """Bound on products with W."""
    delta: float
    """Added to the diagonal."""
    theta: float
    """Share of a new step."""
    smooth: int
    """Sweeps before and after."""
    locdyn: Literal['ON', 'OFF']
    """Whether W has blocks."""
    gsflag: Literal['ON', 'OFF']
    """Whether Gauss-Seidel follows a failure."""
    linver: Literal['GMRES', 'DIAG']
    """Linear method."""


class NONSMOOTH_SOLVER:
    """Creates a solver of the comparison of 2018 (Acary, Bremond, Huber), under the name it has there.

    method    string, one of the names below
    meritval  value of the merit function at which a step has converged, > 0 (default: 1E-8)
    maxiter   bound on the number of iterations of a solve, > 0 (default: 10000);
              steps with joints may take several
    rho       of projections: the step, or the first one, > 0 (default: 1, as in the paper) [N s/m]. 'FP-DS' converges for
              a rho below about 2 over the largest eigenvalue of W only.
    nu        of adaptive projections: factor by which a step is made shorter, > 0 and < 1 (default: 0.667, which is 2/3)
    L         of adaptive projections: a step is made shorter until F changes by no more than L / rho times the change of R,
              > 0 and < 1 (default: 0.9)
    Lmin      of adaptive projections: after a step with less than Lmin in place of L the next one is longer, by 1 / nu, > 0
              and < L (default: 0.3, or L / 3 if that is less)
    tollocal  of sweeps: relative accuracy of a row, > 0 and < 1 (default: 1E-14)
    omega     of PSOR: relaxation, > 0 and < 2 (default: 1.3); 1 is Gauss-Seidel
    alpha     of proximal points by success: the first alpha, > 0 and < 1E6 (default: 1)
    sigma, exponent  of proximal points by error: alpha = sigma error^exponent, > 0 (default: 5, 1)
    failure   what to do in a step that has not converged: 'CONTINUE' (default), 'EXIT' (RuntimeError) or 'CALLBACK'
    data      data for the callback; a tuple is expanded into arguments
    callback  value = callback (solver, data), for failure = 'CALLBACK'; when it returns 0 the run ends

    Projections: 'FP-DS', fixed-point iterations with a constant step; 'FP-VI-UPK' and 'FP-VI-UPTS', with a step that
    follows the rate of change of velocities, by the rules of Khobotov and of Solodov and Tseng; 'EG-VI-UPK' and
    'EG-VI-UPTS', extragradient steps with the same rules; 'FP2-VI-UPK', two fixed-point steps with each rho, which take as
    many iterations as the extragradient solver of Siconos 4.4.

    Newton's method on the law as an equation: 'NSN-NM' (natural map), 'NSN-AC' (Alart and Curnier), 'NSN-JM' (Jean and
    Moreau), 'NSN-FB' (Fischer and Burmeister); with '-GP' behind it the line search of Goldstein and Price, with '-A' that
    of Armijo; 'NSN-AC-HYBRID' begins with 100 iterations of 'EG-VI-UPK'. For a W of full rank.

    Sweeps: 'NSGS-AC', 'NSGS-JM', 'NSGS-AC-GP', 'NSGS-JM-GP', 'NSGS-FP-DS-ONE' (one projection), 'NSGS-FP-VI-UPK' and
    'NSGS-EXACT', by the method for one contact. With '-ADAPTIVE' behind 'NSGS-AC-GP' and 'NSGS-FP-VI-UPK' a contact is
    solved to a tenth of the error of all;
    'NSGS-AC-GP-SHUFFLED' takes the rows in an order by chance, 'NSGS-AC-GP-FULLY-SHUFFLED' in another one in each sweep
    (the same ones in each solve). 'PSOR-AC' and 'PSOR-AC-GP' relax.

    Proximal points, with problems solved by Newton's method or sweeps: 'PPA-NSN-AC', 'PPA-NSN-AC-GP', 'PPA-NSGS-AC', where
    alpha falls with success; the same with '-SIGMA' behind it, where it follows the error.

    Problems with a part of the law held, one after the other. Panagiotopoulos, normal and tangential reactions in turn:
    'PANA-PGS-FP-VI-UPK', 'PANA-PGS-EG-VI-UPK', 'PANA-PGS-CONVEXQP-PG', 'PANA-CONVEXQP-PG'. The threshold of friction held:
    'TRESCA-NSGS-FP-VI-UPK', 'TRESCA-FP-VI-UPK', 'TRESCA-EG-VI-UPK', 'TRESCA-CONVEXQP-PG'; the slip in the normal component
    held: 'ACLM-NSGS-FP-VI-UPK', 'ACLM-FP-VI-UPK', 'ACLM-EG-VI-UPK', 'ACLM-CONVEXQP-PG'. Iterations are those of the outer
    loop.

    Newer ones: 'IPM', an interior-point method, takes 5 to 50 iterations on nearly any problem, each with a sparse
    factorisation, and starts from zero always; 'BB', projected gradients with the steps of Barzilai and Borwein.

    These methods are for comparisons; AUTO_SOLVER is faster nearly everywhere. Contacts of model SPRING_DASHPOT, springs
    (PUT_SPRING) and, without SOLFEC.joint_correction, links (PUT_RIGID_LINK) end a RUN with an error.

    Members, read only: method; all parameters from rho to exponent, None where the method has no such parameter; error,
    'OK' or 'DIVERGED'; failure; iters, iterations in the last step.
    Members, read and write: meritval, maxiter; itershist: assign 'ON' to record iters of each step, 'OFF' to stop;
    reads as the list (None when it was never switched on).
    """
    def __init__(self, method: str, meritval: float = 1E-8, maxiter: int = 10000, rho: float = 1,
                 nu: float = 0.667, L: float = 0.9, Lmin: float = 0.3, tollocal: float = 1E-14,
                 omega: float = 1.3, alpha: float = 1, sigma: float = 5, exponent: float = 5,
                 failure: Literal['CONTINUE', 'EXIT', 'CALLBACK'] = 'CONTINUE', data: Any = None,
                 callback: Callable[..., Any] | None = None) -> None: ...
    @property
    def failure(self) -> Literal['CONTINUE', 'EXIT', 'CALLBACK']:
        """Failure action."""
    @property
    def error(self) -> str:
        """Outcome of the last step."""
    @property
    def iters(self) -> int:
        """Iterations in the last step."""
    meritval: float
    """Value of the merit function."""
    maxiter: int
    """Bound on the iterations."""
    itershist: Any
    """Iterations of each step."""
    @property
    def method(self) -> str:
        """Name of the method."""
    @property
    def rho(self) -> float:
        """Parameter of the method, or None."""
    @property
    def nu(self) -> float | None:
        """Parameter of the method, or None."""
    @property
    def L(self) -> float | None:
        """Parameter of the method, or None."""
    @property
    def Lmin(self) -> float | None:
        """Parameter of the method, or None."""
    @property
    def tollocal(self) -> None:
        """Parameter of the method, or None."""
    @property
    def omega(self) -> None:
        """Parameter of the method, or None."""
    @property
    def alpha(self) -> None:
        """Parameter of the method, or None."""
    @property
    def sigma(self) -> None:
        """Parameter of the method, or None."""
    @property
    def exponent(self) -> None:
        """Parameter of the method, or None."""


def NON_SOLFEC_ARGV() -> list[str] | None:
    """Words of the command line that are not Solfec's own.

    Returns a list of strings, or None when there are none.
    """


def OUTPUT(solfec: SOLFEC, interval: float, compression: Literal['ON', 'OFF'] = 'OFF',
           determinacy: Literal['ON', 'OFF'] = 'OFF') -> None:
    """Sets how often results are written.

    solfec       SOLFEC object
    interval     time between two frames, >= 0 [s]; 0 writes every step
    compression  'ON' or 'OFF' (default)
    determinacy  'ON' or 'OFF' (default); 'ON': frames tell which reactions equilibrium determines
                 (INDETERMINACY, at its cost for each frame), for pictures of contacts coloured by it

    Without OUTPUT every step is written, up to about a thousand frames per RUN.
    """


def PARTITION(body: BODY, parts: int) -> list[BODY]:
    """Divides a finite-element body into glued parts.

    body   (emptied) BODY object of kind 'FINITE_ELEMENT' whose shape is its mesh; no part of an earlier PARTITION
    parts  number of parts, at least 2, at most the number of elements of the mesh

    A large mesh is one body on one rank; its parts are spread over the ranks. On one rank they cost more than they
    save. The parts have about the same number of elements. They move like the whole: in the form 'TL' to the tolerance
    of the solver; in the form 'BC' each part turns by itself, so that large bending is nearer to that of 'TL'. Large
    steps take many sweeps of Gauss-Seidel (theory, section 9).

    A node that k parts have is glued by k - 1 CONSTRAINTs of kind 'GLUE'. The parts do not touch each other; where
    `selfcontact` of the body was 'ON', all but elements with a common node do. Masses, materials of volumes, scheme,
    damping, form, elements, selfcontact, nodecontact, velocities, forces at points (a 'CONVECTED' one turns with its
    part), joints and exclusions of contact are those of the whole; a load or a joint goes to a part whose element holds
    its point, a PRESSURE to all parts that have faces of its surface. CONSTRAINT objects of joints that the body had
    have ended: make joints on the parts to keep them. A FORCE by a callback is an error: give it to the parts.

    Call it before the first RUN, in READ mode before results are read; on several ranks it waits for all. The
    bodies are numbered from 1 on in their labels: those of a body 'beam' are 'beam_PART1', 'beam_PART2', ...; those
    of a body without label have none.

    Returns the list of BODY objects.
    """


class PENALTY_SOLVER:
    """Creates a penalty solver: every contact is a spring and a dashpot of its own.

    variant  'IMPLICIT' (default) or 'EXPLICIT': how the normal force is computed. IMPLICIT takes gap and velocity
             half way through the step, EXPLICIT the gap that is found there, without reactions, and the velocity at the
             start of the step: the dashpot is of first order then, and stable in short steps only.

    Contacts of model SIGNORINI_COULOMB are taken as SPRING_DASHPOT too: give their materials a spring. Bodies
    that friction should hold creep, the slower the shorter the step.

    Member, read only: variant.
    """
    def __init__(self, variant: Literal['IMPLICIT', 'EXPLICIT'] = 'IMPLICIT') -> None: ...
    @property
    def variant(self) -> Literal['IMPLICIT', 'EXPLICIT']:
        """'IMPLICIT' or 'EXPLICIT'."""


def PIPE(pnt: _Vector, dir: _Vector, rin: float, thi: float, ndir: int, nrad: int, nthi: int,
         volid: int = 0, surfids: int | _Integers = 0) -> MESH:
    """Creates a mesh of hexahedra in the shape of a pipe.

    pnt      centre of the bottom (x, y, z) [m]
    dir      axis; its length is that of the pipe [m]
    rin      inner radius [m]
    thi      thickness of the wall [m]
    ndir     elements along the axis
    nrad     elements round the circumference, at least 3
    nthi     elements through the wall
    volid    volume identifier (default: 0)
    surfids  six surface identifiers as for HEX with i through the wall (bottom, inner, -, outer, -, top:
             the third and the fifth are not used), or four (bottom, top, inner, outer), or one for all faces
             (default: 0)

    Returns a MESH object.
    """


def PRESSURE(body: BODY, surfid: int, value: float | TIME_SERIES) -> None:
    """Applies a pressure to faces of a mesh.

    body    BODY object, no OBSTACLE, whose shape is one MESH object
    surfid  surface identifier of the faces
    value   number or TIME_SERIES object [Pa]; positive values act along the OUTWARD normal of the faces (suction). Use
            negative values for the pressure of a fluid, outside of the body or in a cavity

    It follows the body: it acts on the faces as they are, along their present normals and in proportion to their present
    areas. Loads add up and stay for the whole of the run; the work that they do is EXTERNAL. PARTITION gives it to all
    parts that have such faces.
    """


def PUT_RIGID_LINK(body1: BODY | None, body2: BODY | None, point1: _Vector | None,
                   point2: _Vector | None, strength: float | None = None) -> CONSTRAINT:
    """Keeps the distance between a point of a body and a point of another body or of space.

    body1, body2    BODY objects; one of them may be an OBSTACLE, or None: the link is to space then
    point1, point2  referential points (x, y, z); of None the point in space [m]
    strength        the link breaks when its tension exceeds it (default: never) [N]

    Points that coincide now (nearer than GEOMETRIC_EPSILON) become one: the kind is then 'FIXPNT', otherwise
    'RIGLNK'. Where the bodies live on different ranks, it says so from the next step or frame on. The normal of
    a 'RIGLNK' leads from point 2 to point 1: R[2] is positive in compression, negative in tension.
    Returns a CONSTRAINT object.
    """


def PUT_SPRING(body1: BODY, point1: _Vector, body2: BODY | None, point2: _Vector | None,
               function: Callable[[float, float], float], limits: _Vector | None,
               direction: _Vector | None = None,
               update: Literal['FIXED', 'CONV1', 'CONV2'] = 'FIXED') -> CONSTRAINT:
    """Puts a spring, with a force by a function of the script, between points of two bodies.

    body1      BODY object; an OBSTACLE only together with a body2 that moves
    point1     its referential point (x, y, z) [m]
    body2      another BODY object, or None: the spring is to space then
    point2     its referential point; of None the point in space [m]
    function   force = function (stroke, velocity) [N]: it acts on body1 along the line from point 2 to point 1, or along
               the direction if there is one, and against it on body2. A spring of stiffness k with a damper c is

                 lambda stroke, velocity: -k * stroke - c * velocity

               stroke: change of the distance of the points since now, of its projection if there is a direction [m],
               at mid-step; velocity: its rate, by the velocities at the start of the step [m/s]
    limits     (smin, smax) with smin <= 0 <= smax: stops for the stroke, which push and never pull; they take the
               velocity as a contact without restitution does. Either may be infinite; None: no stops [m]
    direction  (dx, dy, dz), of non-zero length, normalised (default: the line between the points, which must stay
               apart). The projection is that of point 1 minus point 2
    update     'FIXED' (default): the direction stays as it is in space; 'CONV1', 'CONV2': it is one of the reference
               configuration of body1 or body2, and turns with it as that of a 'CONVECTED' FORCE does

    The force is explicit: with a stiffness k, a damper c and a mass m that it moves, steps are stable for
    h^2 k / m + 2 h c / m < 4. It is of second order in h, with a damper of first order. In a QUASI_STATIC analysis the
    stroke is that of the start of the step, and the velocity zero. The work of a spring is EXTERNAL work on its bodies.
    Forces along a direction act at the points: unless the line between them has that direction they turn the pair.

    Returns a CONSTRAINT object of kind 'SPRING'. The third component of its R is the force, with that of the stops.
    """


def RANK() -> int:
    """Rank of this process: 0 in serial runs."""


@overload
def ROTATE(shape: _AnyShape, point: _Vector, vector: _Vector, angle: float) -> _AnyShape:
    """Rotates a shape in place.

    shape   object, list of objects, or a point (x, y, z)
    point   a point on the axis [m]
    vector  direction of the axis, of non-zero length
    angle   in degrees, from -1E9 to 1E9, by the right hand rule

    Returns the same shape; of a point a new tuple.
    """
@overload
def ROTATE(shape: _Vector, point: _Vector, vector: _Vector, angle: float) -> tuple[float, float, float]:
    """Rotates a shape in place.

    shape   object, list of objects, or a point (x, y, z)
    point   a point on the axis [m]
    vector  direction of the axis, of non-zero length
    angle   in degrees, from -1E9 to 1E9, by the right hand rule

    Returns the same shape; of a point a new tuple.
    """


def ROUGH_HEX(shape: _Shape, i: int, j: int, k: int, dx: _Vector | None = None,
              dy: _Vector | None = None, dz: _Vector | None = None) -> MESH:
    """Creates a mesh of hexahedra that fills a box around a shape.

    shape       CONVEX, MESH, SPHERE or ELLIP object, or a list of them; it is not emptied
    i, j, k     elements along the first, second and third axis
    dx, dy, dz  relative sizes of the elements along the axes (default: equal ones)

    The edges of the box are along the principal axes of inertia of the shape, as near to x, y and z as they can
    be; it is the least one that holds the shape. Volume and surface identifiers are 0.

    Returns a MESH object.
    """


def RUN(solfec: SOLFEC, solver: _Solver | float | None = None, duration: float | None = None) -> None:
    """Runs a simulation.

    solfec    SOLFEC object; in 'READ' mode RUN returns at once
    solver    solver object (default: AUTO_SOLVER ()); RUN (solfec, duration) is enough
    duration  > 0 [s]; it has to be given

    Steps until the duration is over. RUN can be called again. A file named STOP in the output directory ends it
    (and is removed), so does Ctrl-C; the last state is in the results however a run ends.

    Errors: RuntimeError when the simulation cannot go on (unphysical penetration, values that became NaN, a full
    disk, failure = 'EXIT' of the solver).
    """


@overload
def SCALE(shape: _AnyShape, coefs: _Vector) -> _AnyShape:
    """Scales a shape in place about the origin.

    shape  object, list of objects, or a point (x, y, z)
    coefs  (cx, cy, cz), none 0; the radius of a SPHERE takes the first one

    Returns the same shape; of a point a new tuple.
    """
@overload
def SCALE(shape: _Vector, coefs: _Vector) -> tuple[float, float, float]:
    """Scales a shape in place about the origin.

    shape  object, list of objects, or a point (x, y, z)
    coefs  (cx, cy, cz), none 0; the radius of a SPHERE takes the first one

    Returns the same shape; of a point a new tuple.
    """


def SEEK(solfec: SOLFEC, time: float) -> None:
    """Goes to the last frame not after a time. Ignored in 'WRITE' mode.

    solfec  SOLFEC object
    time    [s]
    """


def SET_ACCELERATION(body: BODY, point: _Vector, direction: _Vector, tms: float | TIME_SERIES) -> CONSTRAINT:
    """Prescribes the acceleration of a point of a body.

    body       BODY object; of an OBSTACLE the whole body follows, whatever the point
    point      referential point (x, y, z) [m]
    direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
    tms        number or TIME_SERIES object [m/s^2]; the velocity is its integral, zero at the first time

    From now on the displacement of the point along the direction follows the series; across the direction it is
    free. Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY.
    Returns a CONSTRAINT object of kind 'VELODIR'; that of an OBSTACLE has no reaction.
    """


def SET_ACCELERATION3(body: BODY, point: _Vector, base: _Vector,
                      tms: _Vector | Sequence[float | TIME_SERIES]) -> CONSTRAINT:
    """Prescribes the acceleration of a point of a body in all directions.

    body   BODY object; of an OBSTACLE the whole body follows, whatever the point
    point  referential point (x, y, z) [m]
    base   three directions T1, T2, N at right angles, right-handed, row by row as in CONSTRAINT.base:
           (T1x, T2x, Nx, T1y, T2y, Ny, T1z, T2z, Nz); normalised; they stay as they are in space
    tms    (along T1, along T2, along N), each a number or a TIME_SERIES object [m/s^2]; the velocity
           is its integral, zero at the first time

    From now on the displacement of the point along each direction follows its series, so its path is given.
    Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY. Returns a
    CONSTRAINT object of kind 'VELODIR3'; that of an OBSTACLE has no reaction.
    """


def SET_DISPLACEMENT(body: BODY, point: _Vector, direction: _Vector, tms: TIME_SERIES) -> CONSTRAINT:
    """Prescribes the displacement of a point of a body.

    body       BODY object; of an OBSTACLE the whole body follows, whatever the point
    point      referential point (x, y, z) [m]
    direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
    tms        TIME_SERIES object [m]; the point moves by what its value changes from now on;
               at points of the series its velocity jumps, over a step: give a smooth motion one in each step

    From now on the displacement of the point along the direction follows the series; across the direction it is
    free. Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY.
    Returns a CONSTRAINT object of kind 'VELODIR'; that of an OBSTACLE has no reaction.
    """


def SET_DISPLACEMENT3(body: BODY, point: _Vector, base: _Vector,
                      tms: _Vector | Sequence[float | TIME_SERIES]) -> CONSTRAINT:
    """Prescribes the displacement of a point of a body in all directions.

    body   BODY object; of an OBSTACLE the whole body follows, whatever the point
    point  referential point (x, y, z) [m]
    base   three directions T1, T2, N at right angles, right-handed, row by row as in CONSTRAINT.base:
           (T1x, T2x, Nx, T1y, T2y, Ny, T1z, T2z, Nz); normalised; they stay as they are in space
    tms    (along T1, along T2, along N), each a TIME_SERIES object [m], or 0: no displacement; the point moves
           by what the value changes from now on

    From now on the displacement of the point along each direction follows its series, so its path is given.
    Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY. Returns a
    CONSTRAINT object of kind 'VELODIR3'; that of an OBSTACLE has no reaction.
    """


def SET_VELOCITY(body: BODY, point: _Vector, direction: _Vector, value: float | TIME_SERIES) -> CONSTRAINT:
    """Prescribes the velocity of a point of a body.

    body       BODY object; of an OBSTACLE the whole body follows, whatever the point
    point      referential point (x, y, z) [m]
    direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
    value      number or TIME_SERIES object [m/s]

    From now on the displacement of the point along the direction follows the series; across the direction it is
    free. Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY.
    Returns a CONSTRAINT object of kind 'VELODIR'; that of an OBSTACLE has no reaction.
    """


def SET_VELOCITY3(body: BODY, point: _Vector, base: _Vector,
                  tms: _Vector | Sequence[float | TIME_SERIES]) -> CONSTRAINT:
    """Prescribes the velocity of a point of a body in all directions.

    body   BODY object; of an OBSTACLE the whole body follows, whatever the point
    point  referential point (x, y, z) [m]
    base   three directions T1, T2, N at right angles, right-handed, row by row as in CONSTRAINT.base:
           (T1x, T2x, Nx, T1y, T2y, Ny, T1z, T2z, Nz); normalised; they stay as they are in space
    tms    (along T1, along T2, along N), each a number or a TIME_SERIES object [m/s]

    From now on the displacement of the point along each direction follows its series, so its path is given.
    Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY. Returns a
    CONSTRAINT object of kind 'VELODIR3'; that of an OBSTACLE has no reaction.
    """


class SOLFEC:
    """Creates an analysis.

    analysis  'DYNAMIC', or 'QUASI_STATIC': each step starts from rest, and bodies come to rest where forces
              are in balance
    step      time step [s], an upper bound: explicit bodies may need a smaller one; QUASI_STATIC: the longer
              it is, the fewer steps are needed to reach equilibrium
    output    directory of results. When it holds results already (and -w is not given) the object is in
              'READ' mode: RUN returns at once and the results can be read. Otherwise it is in 'WRITE'
              mode; with -c RUN continues from existing results.

    Members, read only: analysis, time [s], mode ('READ' or 'WRITE'), bodies and constraints (lists), nbod,
    ncon, outpath (directory of results), traffic (messages, bytes and collective operations that this rank
    has sent or taken part in since the start of the script).
    Members, read and write: step [s]; verbose, 'ON', 'OFF' or '%' (progress only); contact_points, 'MANY'
    (default) or 'ONE': contact points of polyhedra and meshes. 'MANY': all corners at which two pieces touch; of
    RIGID, PSEUDO_RIGID and OBSTACLE bodies those that span each flat patch, up to eight, however many pieces the
    bodies have. 'ONE': one point per pair of pieces, on which a block tilts freely; for comparisons with the
    original program. joint_correction, 'ON' (default) or 'OFF': whether joints correct positions, or act on
    velocities only as those of the manual. contact_correction, 'ON' (default), 'OFF' or 'AHEAD': whether contacts of
    bodies that roll, rock, tip or are carried round meet their laws where they are at the end of the step, and overlap of
    RIGID bodies is corrected; 'OFF' as in the manual: bodies that rock sink. 'AHEAD': as 'ON', and contacts are known
    before bodies touch: fast bodies do not pass through thin ones, unless impacts off their centres make them spin by
    tenths of a radian in a step, and impacts leave little overlap (limits: theory.md, section 8); for DYNAMIC analyses, at
    the price of more constraints. In QUASI_STATIC ones those of RIGID bodies that are near are known ahead unless it is
    'OFF'. It may be another one in the next RUN.

    On several ranks bodies and constraints are those of this rank, nbod and ncon count those of all.
    """
    def __init__(self, analysis: Literal['DYNAMIC', 'QUASI_STATIC'], step: float, output: str) -> None: ...
    @property
    def analysis(self) -> Literal['DYNAMIC', 'QUASI_STATIC']:
        """Kind of analysis."""
    @property
    def time(self) -> float:
        """Current time [s]."""
    @property
    def mode(self) -> Literal['READ', 'WRITE']:
        """'READ' or 'WRITE'."""
    @property
    def outpath(self) -> str:
        """Directory of results, as the script named it."""
    @property
    def bodies(self) -> list[BODY]:
        """List of BODY objects."""
    @property
    def nbod(self) -> int:
        """Number of bodies."""
    @property
    def constraints(self) -> list[CONSTRAINT]:
        """List of CONSTRAINT objects."""
    @property
    def ncon(self) -> int:
        """Number of constraints."""
    @property
    def traffic(self) -> tuple[int, int, int]:
        """(messages, bytes, collective operations) of this rank."""
    step: float
    """Time step, an upper bound [s]."""
    verbose: Literal['ON', 'OFF', '%']
    """'ON', 'OFF' or '%' (progress only)."""
    contact_points: Literal['MANY', 'ONE']
    """'MANY' or 'ONE': contact points of polyhedra."""
    joint_correction: Literal['ON', 'OFF']
    """'ON' or 'OFF': joints correct positions."""
    contact_correction: Literal['ON', 'OFF', 'AHEAD']
    """'ON', 'OFF' or 'AHEAD': contacts follow curved surfaces, overlap goes, gaps are bounded."""


class SPHERE:
    """Creates a ball.

    center  (x, y, z) [m]
    radius  > 0 [m]
    volid   volume identifier (default: 0)
    surfid  surface identifier (default: 0)
    sphere  SPHERE object (emptied) to which the ball is appended

    Balls roll without resistance: friction holds a heap of them on a rough floor, not on a flat one.

    Returns a SPHERE object: one ball or a collection of them.

    Members (read only, of the last ball): center, radius.
    """
    def __init__(self, center: _Vector, radius: float, volid: int = 0, surfid: int = 0,
                 sphere: SPHERE | None = None) -> None: ...
    @property
    def center(self) -> tuple[float, float, float]:
        """Centre (x, y, z) [m]."""
    @property
    def radius(self) -> float:
        """Radius [m]."""


def STRESS(body: BODY, point: _Vector) -> tuple[float, float, float, float, float, float, float]:
    """Cauchy stress at a referential point; zero for rigid bodies.

    body   BODY object
    point  (x, y, z) [m]

    Returns (sx, sy, sz, sxy, sxz, syz, von Mises norm) [Pa].
    """


def SUBDIR() -> str | None:
    """The argument of the switch -s, or None."""


class SURFACE_MATERIAL:
    """Creates a surface material: the law of contact of two surfaces.

    solfec        SOLFEC object
    surf1, surf2  surface identifiers. With one of them only, the material holds for this surface against any
                  other; with none it is the default. A contact takes the material of its pair, else that
                  of its smaller surface identifier, else of the larger one, else the default.
    model         'SIGNORINI_COULOMB' (default) or 'SPRING_DASHPOT'
    label         string (default: 'SURFACE_MATERIAL_i')
    friction      coefficient of friction, >= 0 (default: 0)
    cohesion      cohesive force per area, >= 0 (default: 0) [Pa]; glues contacts that exist in the first
                  step, until they break
    restitution   velocity restitution, from 0 to 1 (default: 0); SIGNORINI_COULOMB only
    spring        stiffness of each contact, >= 0 (default: 0) [N/m]; SPRING_DASHPOT, and all by PENALTY_SOLVER
    dashpot       damping, >= 0 (default: 0) [N s/m]; the same
    tangential_restitution
                  the same of the tangential velocity, which friction then opposes together with that before the
                  impact, from 0 to 1 (default: 0); SIGNORINI_COULOMB only. It acts where a contact did not press in
                  the step before. If it equals restitution, impacts never create energy; with 0, impacts with friction
                  and a large restitution may.
    fracture_energy
                  what it takes to break glue, >= 0 (default: 0) [J/m^2]; needs a cohesion. Glue at its limit opens
                  or slips with the force of the limit, and breaks when this is dissipated, after an opening of
                  fracture_energy / cohesion: joints of bodies that deform have a strength that does not depend on
                  the step. With 0 it breaks as soon as all that share its load yield.

    A material for the same surfaces is overwritten.

    Members, read only: surf1, surf2, label. Read and write: model and the numbers.
    """
    def __init__(self, solfec: SOLFEC, surf1: int | None = None, surf2: int | None = None,
                 model: Literal['SIGNORINI_COULOMB', 'SPRING_DASHPOT'] = 'SIGNORINI_COULOMB',
                 label: str | None = None, friction: float = 0, cohesion: float = 0,
                 restitution: float = 0, spring: float = 0, dashpot: float = 0,
                 tangential_restitution: float = 0, fracture_energy: float = 0) -> None: ...
    @property
    def surf1(self) -> int | None:
        """First surface identifier, or None for any."""
    @property
    def surf2(self) -> int | None:
        """Second surface identifier, or None for any."""
    @property
    def label(self) -> str:
        """Label."""
    model: Literal['SIGNORINI_COULOMB', 'SPRING_DASHPOT']
    """'SIGNORINI_COULOMB' or 'SPRING_DASHPOT'."""
    friction: float
    """Coefficient of friction."""
    cohesion: float
    """Cohesive force per area [Pa]."""
    fracture_energy: float
    """Energy that breaks glue, per area [J/m^2]."""
    restitution: float
    """Velocity restitution."""
    tangential_restitution: float
    """Restitution of the tangential velocity."""
    spring: float
    """Stiffness [N/m]."""
    dashpot: float
    """Damping [N s/m]."""


class TIME_SERIES:
    """Creates a piecewise linear function of time.

    points  list [t0, v0, t1, v1, ...] or [[t0, v0], [t1, v1], ...] of at least two points with increasing
            times, or the path of a text file with two columns ('#' starts a comment)

    The first and the last value hold outside of the times given.

    Members, read only: times, values (lists); derivative (the slope, at inner points the mean of both sides) and
    integral (zero at the first time), new TIME_SERIES objects with the same times.
    """
    def __init__(self, points: _Points | str) -> None: ...
    @property
    def times(self) -> list[float]:
        """List of times [s]."""
    @property
    def values(self) -> list[float]:
        """List of values."""
    @property
    def derivative(self) -> TIME_SERIES:
        """Series of the slope."""
    @property
    def integral(self) -> TIME_SERIES:
        """Series of the integral."""


def TIMING(solfec: SOLFEC, kind: Literal['TIMINT', 'CONUPD', 'CONDET', 'LOCDYN', 'CONSOL', 'PARBAL']) -> float:
    """Wall time of an action in the last step.

    solfec  SOLFEC object
    kind    'TIMINT' (time integration), 'CONUPD' (constraints update), 'CONDET' (contact detection), 'LOCDYN' (local
            dynamics), 'CONSOL' (constraints solution) or 'PARBAL' (parallel balancing)

    Returns seconds.
    """


def TORQUE(body: BODY, kind: Literal['SPATIAL', 'CONVECTED'], direction: _Vector,
           value: float | TIME_SERIES) -> None:
    """Applies a torque to a rigid body.

    body       BODY object of kind 'RIGID'
    kind       'SPATIAL' or 'CONVECTED'
    direction  (dx, dy, dz), of non-zero length, normalised
    value      number or TIME_SERIES object [N m]
    """


@overload
def TRANSLATE(shape: _AnyShape, vector: _Vector) -> _AnyShape:
    """Moves a shape in place.

    shape   object, list of objects, or a point (x, y, z)
    vector  (vx, vy, vz) [m]

    Returns the same shape; of a point a new tuple.
    """
@overload
def TRANSLATE(shape: _Vector, vector: _Vector) -> tuple[float, float, float]:
    """Moves a shape in place.

    shape   object, list of objects, or a point (x, y, z)
    vector  (vx, vy, vz) [m]

    Returns the same shape; of a point a new tuple.
    """


def UNPHYSICAL_PENETRATION(solfec: SOLFEC, depth: float) -> None:
    """Bounds the depth of contacts.

    solfec  SOLFEC object
    depth   > 0 [m]; a deeper contact ends the run with RuntimeError (default: no bound)
    """


def VELOCITY(body: BODY, point: _Vector) -> tuple[float, float, float]:
    """Velocity of a referential point.

    body   BODY object
    point  (x, y, z) [m]

    Returns (vx, vy, vz) [m/s].
    """


def VIEWER() -> bool:
    """True when the viewer is on (switch -v)."""


def WARNINGS(state: Literal['ON', 'OFF']) -> None:
    """Switches warnings on or off.

    state  'ON' (the default without WARNINGS) or 'OFF'
    """


_Feed: Any


_NodalStress: Any


_collective_exit: Any


_display_points: Any


_end_of_script: Any


_models: Any


_put_off_runs: Any


_result_columns: Any


def configure(script: str | None = None, overwrite: bool = False, subdirectory: str | None = None,
              words: Sequence[str] | None = None, resume: bool = False, threads: int = 1) -> None:
    """Sets what the command line of the program sets, for scripts that Python itself runs; call it before SOLFEC.

    script        path of the input file, copied to the results (default: none)
    overwrite     True: existing results are overwritten (switch -w; default: False)
    subdirectory  of output directories (switch -s; default: None)
    words         list of strings for NON_SOLFEC_ARGV (default: [])
    resume        True: RUNs continue from existing results (switch -c; default: False)
    threads       number of threads that share the loops of a step (switch -j; default: 1)
    """
