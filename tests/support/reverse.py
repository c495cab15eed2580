"""A pytest plugin that runs the last test first.

It finds tests that depend on the order. Use it with `-p tests.support.reverse`.
"""

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.reverse()
