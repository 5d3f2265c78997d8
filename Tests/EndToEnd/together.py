"""What stories need of pytest when several processes run them: an order, and a report that is whole. Scripts/stories.py reads it."""

import json
import os
from pathlib import Path

SECONDS = Path(__file__).with_name("seconds.json")


def pytest_collection_modifyitems(items):
    # The longest modules first, by what they took when it was last written down; those that nobody has timed before them.
    known = json.loads(SECONDS.read_text())
    items.sort(key=lambda item: (-known.get(item.path.name, float("inf")), item.path.name))


def pytest_runtest_logreport(report):
    """Writes a line for each phase of each story. Of several processes, the one that hands out the work writes it."""
    write(report, report.when, report.duration)


def pytest_collectreport(report):
    """The stories of a class or a module that could not be collected are known by nothing else."""
    if report.failed:
        write(report, "collect", 0)


def write(report, when, seconds):
    if (file := os.environ.get("SOGLIA_REPORTS")) and "PYTEST_XDIST_WORKER" not in os.environ:
        line = {
            "story": report.nodeid, "when": when, "outcome": report.outcome, "seconds": seconds,
            "words": report.longreprtext if report.failed else "",
            "said": [list(section) for section in report.sections] if report.failed else []}
        with open(file, "a", encoding="utf-8") as reports:
            reports.write(json.dumps(line) + "\n")
