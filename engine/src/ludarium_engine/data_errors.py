"""Validate a data file that replaces a title's own."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.title import DataFile, DataProblem, Title


def data_problems(title: Title[Any, Any], data: bytes) -> list[DataProblem]:
    """Return the errors in a data file.

    General errors are returned alone. If there are none, the title runs its own checks, which may also return remarks.
    `testkit.trial` goes further and plays games with the file.
    """
    try:
        found = json_decoder(title.file)(data)
    except (msgspec.DecodeError, RecursionError) as error:
        return [located(DataProblem("", str(error)))]
    options = [(f"/rulings/{i}/option", ruling.option) for i, ruling in enumerate(found.rulings) if ruling.option]
    known = title.options.__struct_fields__
    unknown = [DataProblem(at, f"there is no option {name}") for at, name in options if name not in known]
    wrong = [*row_problems(found, json_decoder(title.file)(title.data)), *unknown, *source_problems(found)]
    return wrong or [*map(located, title.data_problems(found))]


def source_problems(found: DataFile) -> Iterator[DataProblem]:
    """Yield the errors in the sources of rulings.

    The basis and the source of a ruling must match, and the file must list the source. Rulings without a basis, as in data
    files of earlier releases, need no source.
    """
    known = {source.id for source in found.sources}
    for i, ruling in enumerate(found.rulings):
        if ruling.basis and (ruling.basis == "house") != ruling.house:
            yield DataProblem(f"/rulings/{i}/basis", f"house is {str(ruling.house).lower()}")
        if ruling.basis and (ruling.basis == "house") != (ruling.source is None):
            yield DataProblem(f"/rulings/{i}/source", "a source is named unless the ruling is of the house")
        if ruling.source and ruling.source not in known:
            yield DataProblem(f"/rulings/{i}/source", f"there is no source {ruling.source}")


def located(flaw: DataProblem) -> DataProblem:
    """Move the path at the end of a msgspec error into the JSON pointer.

    The detail "... - at `$.spaces[3].x`" adds /spaces/3/x to the pointer. msgspec does not name the keys of mappings, so they
    become `*`.
    """
    detail, _, path = flaw.detail.partition(" - at `$")
    further = path.replace("[...]", "/*").rstrip("`").replace("[", "/").replace("]", "").replace(".", "/")
    return DataProblem(flaw.pointer + further, detail, flaw.remark)


def row_problems(found: DataFile, own: DataFile) -> Iterator[DataProblem]:
    """Yield an error for each duplicate id, row without English name, and missing id.

    In the lists that the file's class declares as `known`, the rules depend on every id of the title's own data file.
    """
    rows = rows_of(found)
    seen = Counter(row.id for _, row in rows)
    for at, row in rows:
        if seen[row.id] > 1:
            yield DataProblem(f"{at}/id", f"{row.id} stands here {seen[row.id]} times")
        if not getattr(row, "name", {"en": row.id}).get("en"):
            yield DataProblem(f"{at}/name", "there is no English name")
    known = [(at, row.id) for at, row in rows_of(own) if at.split("/")[1] in found.known]
    yield from (DataProblem(at.rpartition("/")[0], f"{name} is missing") for at, name in known if name not in seen)


def rows_of(file: DataFile) -> list[tuple[str, Any]]:
    """Return (JSON pointer, row) for each row with an id, except rulings."""
    lists = {name: getattr(file, name) for name in file.__struct_fields__ if name != "rulings"}
    rows = [(f"/{name}/{i}", row) for name, rows in lists.items() if isinstance(rows, list) for i, row in enumerate(rows)]
    return [(at, row) for at, row in rows if hasattr(row, "id")]
