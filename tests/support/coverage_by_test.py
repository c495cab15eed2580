"""A pytest plugin that records which lines each test runs.

Use it with `-p tests.support.coverage_by_test`; it writes to the file COVERAGE_BY_TEST.
"""

import os
import threading
from collections.abc import Generator

import coverage
import pytest

measured = coverage.Coverage(data_file=os.environ["COVERAGE_BY_TEST"], config_file=False, include=["*/src/ludarium*"])
measured.start()
assert measured._collector
# The timer of rules interrupts Python at any place, and its handler is measured too.
measured._collector.data_lock = threading.RLock()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    measured.switch_context(item.nodeid)
    outcome = yield
    measured.switch_context("")
    return outcome


def pytest_sessionfinish() -> None:
    measured.stop()
    measured.save()
