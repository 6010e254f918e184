"""Runs the cases of a study that have no record yet, side by side, each in a process and a folder of its own."""

import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

MPI = {'OMPI_ALLOW_RUN_AS_ROOT': '1', 'OMPI_ALLOW_RUN_AS_ROOT_CONFIRM': '1', 'OMPI_MCA_rmaps_base_oversubscribe': '1'}
WAIT = 0.02   # between two looks at the processes [s]
RENEW = 0.5   # between two states of the line of progress [s]
ENDING = {signal.SIGINT, signal.SIGTERM}
QUIET = '1'   # output interval of the runs [s]: their results are not kept,
BEDS = pathlib.Path('out/studies')  # but those of beds are, here


class Process:
    """A case that runs."""

    def __init__(self, case, limit, program, root):
        self.case = case
        self.folder = tempfile.mkdtemp(prefix='solfec-study-')
        if case.bed:
            self._link(case.bed)
        self.printed = open(os.path.join(self.folder, 'printed'), 'w+', encoding='utf-8', errors='replace')
        self.process = subprocess.Popen(self._words(program, root), cwd=self.folder, stdout=self.printed,
                                        stderr=subprocess.STDOUT, env={**os.environ, **MPI},
                                        preexec_fn=lambda: _begin(limit))

    def _words(self, program, root):
        start = [program] if self.case.ranks == 1 else ['mpiexec', '-np', str(self.case.ranks), program + '-mpi']
        return [*start, '-w', os.path.join(root, self.case.script), *self.case.words, '-outi', QUIET,
                '-sumf', 'summary.json']

    def _link(self, bed):
        """The results that it goes on from, at the place that its command says."""
        place = pathlib.Path(self.folder) / bed.results
        place.parent.mkdir(parents=True)
        place.symlink_to(_bed(bed).resolve())

    def keep_results(self):
        """Those of a bed: they appear when all of them are there."""
        BEDS.mkdir(parents=True, exist_ok=True)
        part = shutil.move(os.path.join(self.folder, self.case.results), _bed(self.case).with_suffix('.part'))
        os.rename(part, _bed(self.case))

    def has_ended(self):
        return self.process.poll() is not None

    def has_failed(self):
        return self.process.returncode != 0 and not self._was_stopped()

    def _was_stopped(self):
        """Whether it reached its bound of processor time."""
        return self.process.returncode == -signal.SIGXCPU

    def summary(self):
        """What it says of its steps; None when it was stopped."""
        if self._was_stopped():
            return None
        with open(os.path.join(self.folder, 'summary.json'), encoding='utf-8') as file:
            return json.load(file)

    def last_line(self):
        self.printed.seek(0)
        return (self.printed.read().strip().splitlines() or ['it printed nothing'])[-1]

    def close(self):
        """Ends it when it has not ended, and removes its folder."""
        if not self.has_ended():
            self.process.terminate()
            self.process.wait()
        self.printed.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _begin(limit):
    """In the new process."""
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))


@contextlib.contextmanager
def _signals_later():
    """Signals that end the program wait for the end of the block: between a folder or a process and the list that it
    is removed by there is no place for them."""
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


class Progress:
    """One line that is renewed on a terminal, and nothing in a log."""

    def __init__(self, name, todo, there):
        self.name, self.todo, self.there, self.start = name, todo, there, time.monotonic()
        self.next_look = self.start

    def show(self, done):
        if not sys.stderr.isatty() or time.monotonic() < self.next_look:
            return
        self.next_look = time.monotonic() + RENEW
        passed = time.monotonic() - self.start
        rate = done / passed if done else 0
        left = time.strftime('%H:%M:%S', time.gmtime((self.todo - done) / rate)) if rate else 'unknown'
        sys.stderr.write('\r%s: %d of %d cases, %d were there | %.2f cases/s | left %s\033[K' % (
            self.name, done, self.todo, self.there, rate, left))
        sys.stderr.flush()

    def end(self, done):
        if sys.stderr.isatty():
            sys.stderr.write('\r\033[K')
        print('%s: %d cases run, %d were there already; %.0f s' % (self.name, done, self.there,
                                                                 time.monotonic() - self.start), flush=True)


def run(name, study, records, program, root, jobs):
    """Runs what is missing; returns what to say of cases that failed, a line each."""
    missing = [case for case in study.cases if case not in records]
    beds = [bed for bed in dict.fromkeys(case.bed for case in missing if case.bed) if not _bed(bed).exists()]
    failures = []
    if beds:
        failures = _run_all(Progress(name + ', beds', len(beds), 0), [(bed, None) for bed in beds], program, root, jobs,
                            Process.keep_results)
    return failures or _run_all(
        Progress(name, len(missing), len(study.cases) - len(missing)), [(case, study.limit) for case in missing],
        program, root, 1 if study.alone else jobs, lambda process: records.add(process.case, process.summary()))


def _run_all(progress, waiting, program, root, places, keep):
    """Runs cases, each with its bound of processor time, and keeps what they made; returns what failed."""
    running, failures, done = [], [], 0
    try:
        while waiting or running:
            while waiting and len(running) < places:
                with _signals_later():
                    running.append(Process(*waiting.pop(0), program, root))
            time.sleep(WAIT)
            for process in [process for process in running if process.has_ended()]:
                if process.has_failed():
                    failures.append('%s: %s' % (process.case.command, process.last_line()))
                else:
                    keep(process)
                with _signals_later():
                    running.remove(process)
                    process.close()
                done += 1
            progress.show(done)
    finally:
        for process in running:
            process.close()
    progress.end(done)
    return failures


def _bed(case):
    """Where the results of a bed are kept."""
    return BEDS / pathlib.Path(case.results).name


def program_of(build):
    """The program in a folder of a build."""
    program = pathlib.Path(build) / 'bin/solfec'
    if not program.is_file():
        raise SystemExit('studies: there is no program %s' % program)
    return str(program)
