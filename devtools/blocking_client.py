"""Generate the blocking Python client from the asynchronous one.

The generator drops `async` and `await` and renames what has another name without asyncio. It leaves strings and comments as
they are. All other differences between the clients are in `async_primitives.py` and `primitives.py`, which are written by
hand.
"""

import io
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

SUBJECTS = "people", "records", "runner", "studies", "tables", "tournaments"
SOURCES = {"asynchronous.py": "blocking.py"} | {f"async_{subject}.py": f"{subject}.py" for subject in SUBJECTS}
"""The name of each asynchronous module -> the name of the blocking module that is generated from it."""
KEYWORDS = {"async", "await"}
NAMES = {
    "StopAsyncIteration": "StopIteration", "__aenter__": "__enter__", "__aexit__": "__exit__", "__aiter__": "__iter__",
    "__anext__": "__next__", "aclose": "close",
}  # fmt: skip
PREFIXES = ("Async", "async_")
HEAD = '"""Generated from `{source}` by `make schema`: do not edit."""\n'
SORT_IMPORTS = ("check", "--quiet", "--fix", "--select", "I", "--stdin-filename")


def blocking_modules(project: Path, folder: str) -> dict[str, bytes]:
    """Return the content of each generated file by its path in the project."""
    return {
        f"{folder}/{target}": with_sorted_imports(project, f"{folder}/{target}", blocking(project / folder / source))
        for source, target in SOURCES.items()
    }


def blocking(source: Path) -> str:
    """Return the source of the blocking module for an asynchronous one.

    The first line of the asynchronous module must be its docstring; the result has another one.
    """
    _, _, code = source.read_text().partition("\n")
    return HEAD.format(source=source.name) + without_async(code)


def without_async(code: str) -> str:
    """Return asynchronous code as code for threads.

    The keywords are dropped with the space after them, and names are replaced.
    """
    lines = code.splitlines(keepends=True)
    for row, start, end, text in reversed([*edits(code)]):
        lines[row] = lines[row][:start] + text + lines[row][end:]
    return "".join(lines)


def edits(code: str) -> Iterator[tuple[int, int, int, str]]:
    """Yield the changes to make in the code, in order.

    Yields:
        (index of the line, first column, column after the last, new text).
    """
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        (row, start), (_, end) = token.start, token.end
        if token.type != tokenize.NAME:
            continue
        if token.string in KEYWORDS:
            yield row - 1, start, end + 1, ""
        elif (name := blocking_name(token.string)) != token.string:
            yield row - 1, start, end, name


def blocking_name(name: str) -> str:
    for prefix in PREFIXES:
        name = name.removeprefix(prefix)
    return NAMES.get(name, name)


def with_sorted_imports(project: Path, path: str, code: str) -> bytes:
    """Return the code with its imports in the order that `ruff check` demands.

    Renaming can change their order, because names lose their prefixes.
    """
    ruff = [sys.executable, "-m", "ruff", *SORT_IMPORTS, path, "-"]
    return subprocess.run(ruff, cwd=project, input=code.encode(), stdout=subprocess.PIPE, check=True).stdout
