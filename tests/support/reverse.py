"""A pytest plugin that runs the last test first, to find tests that need an order.

Use it with `-p tests.support.reverse`.
"""

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.reverse()
