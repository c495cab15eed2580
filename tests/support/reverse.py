"""A plugin of pytest, `-p tests.support.reverse`: the last test first. Tests that need an order show."""

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.reverse()
