"""The blocking Python client is generated from the asynchronous one."""
from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from devtools import blocking_client, generated_files
from ludarium_client import AsyncClient, Client, async_primitives, primitives
from ludarium_client.async_studies import AsyncStudies
from ludarium_client.async_tournaments import AsyncTournaments
from ludarium_client.studies import Studies
from ludarium_client.tournaments import Tournaments

PROJECT = Path(__file__).parents[2]
ASYNCHRONOUS = '''
class AsyncReader:
    """Says async, await and AsyncReader."""

    async def __aenter__(self) -> AsyncReader:
        return self  # await nothing

    async def read(self) -> str:
        async with AsyncReader() as reader:
            names = [await name async for name in reader.names]
        if not names:
            raise StopAsyncIteration
        return await (await reader.line()).decode("await", asynchronous=True)
'''
BLOCKING = '''
class Reader:
    """Says async, await and AsyncReader."""

    def __enter__(self) -> Reader:
        return self  # await nothing

    def read(self) -> str:
        with Reader() as reader:
            names = [name for name in reader.names]
        if not names:
            raise StopIteration
        return (reader.line()).decode("await", asynchronous=True)
'''


def test_only_keywords_and_names_change() -> None:
    assert blocking_client.without_async(ASYNCHRONOUS) == BLOCKING


@pytest.mark.parametrize(("source", "target"), blocking_client.SOURCES.items())
def test_the_first_line_of_a_generated_file_names_its_source(source: str, target: str) -> None:
    path = f"{generated_files.CLIENT}/{target}"
    first = (PROJECT / path).read_text().splitlines()[0]
    assert first == f'"""Generated from `{source}` by `make schema`: do not edit."""'
    assert path in blocking_client.blocking_modules(PROJECT, generated_files.CLIENT)


@pytest.mark.parametrize(
    ("asynchronous", "blocking"), [(AsyncClient, Client), (AsyncTournaments, Tournaments), (AsyncStudies, Studies)]
)
def test_both_clients_have_the_same_methods(asynchronous: type, blocking: type) -> None:
    assert parameters(asynchronous) == parameters(blocking)


def test_primitives_have_the_same_names() -> None:
    assert async_primitives.__all__ == primitives.__all__


def parameters(client: type) -> dict[str, list[str]]:
    """Return the parameter names of each public method, by the method's name."""
    methods = inspect.getmembers(client, inspect.isfunction)
    return {name: [*inspect.signature(method).parameters] for name, method in methods if not name.startswith("_")}
