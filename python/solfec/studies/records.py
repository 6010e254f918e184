"""Records of cases: one file per study, one line per case, in the order in which the cases came to an end."""

import csv
import os
import pathlib

from solfec.run_summary import PHASES

# What is kept of a case beside its command; solfec.run_summary tells what the numbers are. `stopped` is 1 for a case
# that reached its bound of processor time: it has no numbers.
COLUMNS = ('command', 'stopped', 'ranks', 'steps', 'diverged', 'unsolved', 'iterations', 'iterations_converged',
           'iterations_largest', 'sweeps_after', 'constraints', 'constraints_largest', 'user_time', 'wall_time',
           *PHASES)


class Records:
    """Records of one study, in a CSV file."""

    def __init__(self, folder, study):
        self.path = pathlib.Path(folder) / (study + '.csv')
        self.of = {}  # by command
        if self.path.exists():
            self._read()

    def _read(self):
        for row in csv.DictReader(self._whole_lines().splitlines()):
            if tuple(row) != COLUMNS or None in row.values():
                raise SystemExit('studies: %s has other columns than those of this version' % self.path)
            self.of[row['command']] = {name: _number(value) for name, value in row.items()}

    def _whole_lines(self):
        """The text of the file; a writer may have been ended in the middle of a line."""
        text = self.path.read_text(encoding='utf-8')
        return text[:text.rfind('\n') + 1]

    def __contains__(self, case):
        return case.command in self.of

    def get(self, case):
        """The record of a case, or None."""
        return self.of.get(case.command)

    def finished(self, case):
        """The record of a case that came to its end, or None."""
        record = self.get(case)
        return None if record is None or record['stopped'] else record

    def add(self, case, summary):
        """Appends the record of a case; no summary means that it was stopped."""
        record = {'command': case.command, 'stopped': int(summary is None),
                  **{name: (summary or {}).get(name, '') for name in COLUMNS[2:]}}
        self.path.parent.mkdir(parents=True, exist_ok=True)
        there = len(self._whole_lines().encode()) if self.path.exists() else 0
        with open(self.path, 'a', newline='', encoding='utf-8') as file:
            file.truncate(there)
            writer = csv.writer(file, lineterminator='\n')
            if there == 0:
                writer.writerow(COLUMNS)
            writer.writerow([_word(record[name]) for name in COLUMNS])
            file.flush()
            os.fsync(file.fileno())
        self.of[case.command] = record


def _word(value):
    return '%.6g' % value if isinstance(value, float) else value


def _number(word):
    """A number as one, '' as None, other words as they are."""
    if word == '':
        return None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word
