"""One random case, run by the program:  solfec case.py kind seed number"""

import importlib
import pathlib
import random
import re
import resource
import sys

kind, seed, number = NON_SOLFEC_ARGV()

# Messages of the library of C++, of memory that was not there, and pages of text, are not for users.
FOREIGN = re.compile(r'std::|basic_string|vector::|bad_alloc|_M_|map::at|internal error')
LONGEST = 2000

if 'Sanitizer' not in open('/proc/self/maps').read() and 'libasan' not in open('/proc/self/maps').read():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


def tell(finding):
    print('FINDING', finding, flush=True)
    sys.exit(3)


def any_rank(failed, count):
    """Whether the action has failed on some rank: what it made is of use where all have it."""
    if NCPU() == 1:
        return failed
    pathlib.Path(f'failed.{RANK()}.{count % 2}').write_text(str(int(failed)))
    BARRIER()
    return any(pathlib.Path(f'failed.{k}.{count % 2}').read_text() == '1' for k in range(NCPU()))


def attempt(action, log):
    try:
        action()
        return True
    except (TypeError, ValueError, RuntimeError) as error:
        text = str(error)
        log.write(f'  {type(error).__name__}: {text[:500]}\n')
        if FOREIGN.search(text) or not text or len(text) > LONGEST:
            tell(f'{type(error).__name__}: {text[:300]!r}')
    except BaseException as error:
        tell(f'{type(error).__name__}: {str(error)[:300]}')
    return False


def main():
    case = importlib.import_module(kind).case(random.Random(f'{kind} {seed} {number}'))
    log = open('log' if RANK() == 0 else f'log.{RANK()}', 'w')
    count, failed = 0, None
    while True:
        try:
            name, action = next(case) if failed is None else case.send(not failed)
        except StopIteration:
            return
        log.write(name + '\n')
        log.flush()
        failed = any_rank(not attempt(action, log), count)
        count += 1


main()
