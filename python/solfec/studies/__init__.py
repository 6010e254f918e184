"""The solver studies of the technical report of 2019, section 8: runs, records, figures and their page.

    python3 -m solfec.studies list                     studies, and how many of their cases have records
    python3 -m solfec.studies run [study ...] --jobs 2 runs the cases that have no record yet (default: of all studies)
    python3 -m solfec.studies page                     makes docs/studies from the records

A case is one run of an example in inp; its record is a line of docs/studies/records/<study>.csv. A run of studies that
is ended loses the cases in flight only, and the next one goes on from there.

    cases.py     what the studies run
    records.py   what is kept of it
    runner.py    runs cases side by side
    tables.py, figures.py, page.py   what is made of the records
"""
