"""Checks that formulas in the documents can be rendered: $...$ within a line, $$ alone on a line around others."""

import pathlib
import re
import sys

WHERE = 'README.md', 'docs/**/*.md', 'src/**/*.md'
COMMANDS = set('''
    Big Delta Lambda Phi Pi Psi Sigma Theta alpha approx bar begin beta big cdot chi circ delta det dot dots end
    epsilon eta exp frac Gamma gamma ge gt hat in int kappa lambda langle le leftarrow log lt lvert mapsto mathbb
    mathcal mathrm mathtt max mu nabla neq nu omega otimes partial perp phi pi pm qquad quad rangle rho rvert
    sigma sin cos sqrt sum tau text tfrac theta times varepsilon xi zeta ddot min to'''.split())


def faults(formula, inside_table=False):
    """What keeps a formula from being rendered, or from being what was meant."""
    unknown = [name for name in re.findall(r'\\([A-Za-z]+)', formula) if name not in COMMANDS]
    if unknown:
        yield 'unknown command \\%s' % unknown[0]
    if formula.count('{') != formula.count('}'):
        yield 'braces do not match'
    if re.findall(r'\\begin\{(\w+)\}', formula) != re.findall(r'\\end\{(\w+)\}', formula):
        yield 'begin and end do not match'
    if '<' in formula or '>' in formula:
        yield 'write \\lt and \\gt'
    if inside_table and '|' in formula:
        yield 'write \\lvert and \\rvert in a table'


def check(text):
    """(line number, fault) of a document."""
    for code in r'```.*?```', r'`[^`]*`':
        text = re.sub(code, lambda found: re.sub(r'[^\n]', '', found.group()), text, flags=re.S)
    block = None
    for number, line in enumerate(text.splitlines(), start=1):
        if line == '$$':
            if block is not None:
                yield from ((number, fault) for fault in faults('\n'.join(block)))
            block = [] if block is None else None
        elif block is not None:
            block.append(line)
            if re.match(r'\s*([-+*=>#]|\d+\.)(\s|$)', line):
                yield number, 'this line of a formula begins like a list or a heading'
        else:
            parts = line.split('$')
            if len(parts) % 2 == 0:
                yield number, 'a $ without another one in the line'
                continue
            for before, formula, after in zip(parts[::2], parts[1::2], parts[2::2]):
                if formula != formula.strip() or re.search(r'\w$', before) or re.match(r'\w', after):
                    yield number, '$%s$ needs space around it, and none inside' % formula
                if re.search(r'\\[^A-Za-z]', formula):
                    yield number, 'no \\ before a sign within a line'
                yield from ((number, fault) for fault in faults(formula, line.startswith('|')))
    if block is not None:
        yield number, 'a $$ without another one'


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    files = [path for pattern in WHERE for path in sorted(root.glob(pattern))]
    problems = ['%s:%d: %s' % (path.relative_to(root), number, fault)
                for path in files for number, fault in check(path.read_text())]
    print('\n'.join(problems) or f'{len(files)} files whose formulas can be rendered')
    return 1 if problems or not files else 0


if __name__ == '__main__':
    sys.exit(main())
