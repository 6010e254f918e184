"""Checks that the README of each folder of src/ names all of its files in its reading order, and none that is not
there. A header and its source count as one."""

import pathlib
import re
import sys


def main():
    source = pathlib.Path(__file__).resolve().parents[2] / 'src'
    problems, count = [], 0
    for folder in sorted(path for path in source.iterdir() if path.is_dir()):
        text = (folder / 'README.md').read_text()
        order = re.search(r'\*\*Files, in reading order:\*\*.*?(?=\n\n|\Z)', text, re.S)
        if not order:
            problems.append(f'src/{folder.name}/README.md has no reading order')
            continue
        named = {name.rpartition('.')[0] for name in re.findall(r'`([\w.]+\.[hc]pp)`', order[0])}
        there = {path.stem for path in folder.glob('*.[hc]pp')}
        count += len(there)
        problems += [f'src/{folder.name}/README.md does not name {name}' for name in sorted(there - named)]
        problems += [f'src/{folder.name}/README.md names {name}, which is not there' for name in sorted(named - there)]
    print('\n'.join(problems) or f'{count} files, each in the reading order of its folder')
    return 1 if problems or not count else 0


if __name__ == '__main__':
    sys.exit(main())
