"""Checks that words of our own for which the field has a term do not come back (docs/glossary.md)."""

import pathlib
import re
import sys

INSTEAD = {
    'Arrival': 'SyncRequest',
    'Guest|guests?': 'remote contact, request',
    'BodyShare|body_share': 'BodyContribution',
    'Extremes': 'BodyBounds',
    'Ledger|ledger': 'command log',
    'Meeting': 'SyncPoint',
    'Outlook|look_ahead': 'StepPlan, plan_step',
    'Papers': 'RankReport',
    'RowEnds?': 'RowBlock',
    'Settlement|settle_changes': 'ChangeReconciler, reconcile_changes',
    '[Nn]ewcomers?': 'new bodies',
    'brim': 'edge, limit',
    'departed': 'migrated',
    'freedom_of|freedoms': 'degrees of freedom, dofs',
    'in_company|leave_in_trouble': 'abort_on_local_error, collective_exit',
    'is_internal': 'is_self_contact',
    r'is dear|too dear|kDearest\w*': 'expensive, cost',
    'least way|way out': 'separating distance',
    'left the numbers|(?:numbers that are|is) no more|what is no number': 'not finite, NaN',
    'look_around': 'poll_stop_conditions',
    'nobody leaves|the ranks part': 'errors are collective, the scripts of the ranks differ',
    'taken? back|takes back': 'corrected, undone',
    'told so': 'an error or a warning says',
    'wishes': 'requests',
    r'(?:law|p|push)\.way|way_of|(?:centre|prescribed)_way': 'remaining (time), displacement',
}
WHERE = 'src/**/*.[ch]pp', 'tests/**/*.[ch]pp', 'src/**/*.md', 'docs/**/*.md'


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    retired = {re.compile(rf'\b(?:{words})\b'): term for words, term in INSTEAD.items()}
    files = [path for pattern in WHERE for path in sorted(root.glob(pattern)) if path.name != 'changes.md']
    problems = []
    for path in files:
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            problems += [f'{path.relative_to(root)}:{number}: {word.search(line).group()!r}; the term is: {term}'
                         for word, term in retired.items() if word.search(line)]
    print('\n'.join(problems) or f'{len(files)} files without retired words')
    return 1 if problems or not files else 0


if __name__ == '__main__':
    sys.exit(main())
