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
