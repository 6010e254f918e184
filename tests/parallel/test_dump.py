"""From the same state the local dynamics are the same to the last bit on any number of ranks, for every shape."""

import shutil

from models import PILE
from ranks import start

RANKS = (1, 2, 3, 4)


def assert_same_dumps(directories):
    """They are of bodies that touch each other, not of an obstacle alone; returns the rows."""
    texts = [(directory / 'dump').read_text() for directory in directories]
    rows = [line for line in texts[0].splitlines() if line.startswith('row ')]
    between_movers = [row for row in rows if '-0.' not in row]
    assert len(between_movers) >= 20 and texts[0].count('  W ') > 2 * len(rows)
    for text, directory in zip(texts, directories):
        assert text == texts[0], directory.name
    return rows


def directory_of(tmp_path, ranks):
    directory = tmp_path / str(ranks)
    directory.mkdir(exist_ok=True)
    return directory


def test_from_the_start(tmp_path):
    directories = [directory_of(tmp_path, ranks) for ranks in RANKS]
    for ranks, directory in zip(RANKS, directories):
        start(directory, ranks, "RUN(s, solver, s.step); LOCDYN_DUMP(s, 'dump')", head=PILE).well()
    assert_same_dumps(directories)


def test_from_a_frame(tmp_path):
    """Two ranks write it; the run goes on from there on others."""
    script = """
        RUN(s, solver, 100 * s.step)
        if sys.argv[1:] == ['half']:
            sys.exit(0)
        RUN(s, solver, s.step)
        LOCDYN_DUMP(s, 'dump')
        """
    start(tmp_path, 2, script, 'half', head=PILE).well()
    directories = []
    for ranks in (*RANKS, 'serial'):
        directories.append(directory_of(tmp_path, ranks))
        shutil.copytree(tmp_path / 'out', directories[-1] / 'out')
        start(directories[-1], ranks, script, '-c', head=PILE).well()
    assert_same_dumps(directories)


def test_trouble_with_the_file(tmp_path):
    done = start(tmp_path, 2, "ball(0); run(); LOCDYN_DUMP(s, 'no/such/dump')")
    assert done.code != 0 and done.errors() == ["RuntimeError: LOCDYN_DUMP: cannot write 'no/such/dump': "
                                                'No such file or directory']


# The same pile of plain contacts, with all that goes into q.
CONTACTS = (PILE.replace("model='SPRING_DASHPOT', friction=0.4, spring=1E5, dashpot=10",
                         'friction=0.4, restitution=0.5, cohesion=10')
            .replace('PENALTY_SOLVER()', 'GAUSS_SEIDEL_SOLVER(1E-3, 100)')
            .replace('random = ', 'bodies = {}\nrandom = ').replace('b = BODY(', 'b = bodies[n] = BODY('))


def test_fclib_file(tmp_path):
    """The same bytes on any number of ranks, with joints whose targets do not come from a solution; each rank of others
    can solve it by itself."""
    script = """
        s.joint_correction = 'OFF'
        for n in (0, 5, 10):
            point = (0.7 * (n % 4) + 0.35, 0.7 * (n // 4), 0.35)
            PUT_RIGID_LINK(bodies[n], bodies[n + 1], point, point)
        FIX_DIRECTION(bodies[20], (0, 0, 1), (1, 0, 0))
        RUN(s, solver, 1E-6 * s.step)  # the first step of bodies that move and are glued
        if sys.argv[1:] == ['first']:
            sys.exit(0)
        RUN(s, solver, 0.999 * s.step)
        told = {}
        for form in ('LOCAL', 'GLOBAL'):
            FCLIB_DUMP(s, form + '.hdf5', form)
            solved = FCLIB_SOLVE(form + '.hdf5', GAUSS_SEIDEL_SOLVER(1, 10000), 1E-3)
            told[form] = [solved[name] for name in ('contacts', 'equalities', 'status', 'error', 'R', 'l')]
        tell(**told)
        """
    files, told = [], []
    start(tmp_path, 2, script, 'first', head=CONTACTS).well()
    for ranks in (*RANKS, 'serial'):
        directory = directory_of(tmp_path, ranks)
        shutil.copytree(tmp_path / 'out', directory / 'out')
        told.append(start(directory, ranks, script, '-c', head=CONTACTS).alike())
        files.append([(directory / (form + '.hdf5')).read_bytes() for form in ('LOCAL', 'GLOBAL')])
    for contacts, equalities, status, *_ in (told[0]['LOCAL'], told[0]['GLOBAL']):
        assert contacts >= 40 and equalities == 10 and status == 'OK'
    assert all(other == told[0] for other in told)
    assert all(pair == files[0] for pair in files)


def test_what_no_fclib_file_can_say(tmp_path):
    done = start(tmp_path, 2, "RUN(s, solver, s.step); FCLIB_DUMP(s, 'a.hdf5')", head=PILE)
    (error,) = set(done.errors())
    assert done.code != 0 and error.startswith("ValueError: FCLIB_DUMP: 'solfec': the contacts of an FCLib file are "
                                               'Signorini-Coulomb ones; in the last step ')
    assert not (tmp_path / 'a.hdf5').exists()


def test_ranks_that_ask_for_other_forms(tmp_path):
    done = start(tmp_path, 2, "ball(0); run(); FCLIB_DUMP(s, 'a.hdf5', ('LOCAL', 'GLOBAL')[RANK()])")
    assert done.code != 0 and not (tmp_path / 'a.hdf5').exists()
    (error,) = set(done.errors())
    assert 'the form of FCLIB_DUMP differs between rank 0 and rank 1' in error


def test_trouble_with_the_fclib_file(tmp_path):
    done = start(tmp_path, 2, "ball(0); run(); FCLIB_DUMP(s, 'no/such')")
    assert done.code != 0 and done.errors() == ["RuntimeError: FCLIB_DUMP: cannot write 'no/such': "
                                                'No such file or directory']
