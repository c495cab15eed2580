"""What is wrong with a data file that is to take the place of a title's own."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from ludarium_engine.kernel.decoding import json_decoder
from ludarium_engine.kernel.title import DataFile, Flaw, Title


def flaws(title: Title[Any, Any], data: bytes) -> list[Flaw]:
    """Why the title cannot be made from a file, and its own remarks on it. Whether it can be played is tried by playing."""
    try:
        found = json_decoder(title.file)(data)
    except (msgspec.DecodeError, RecursionError) as error:
        return [located(Flaw("", str(error)))]
    options = [(f"/rulings/{i}/option", ruling.option) for i, ruling in enumerate(found.rulings) if ruling.option]
    unknown = [Flaw(at, f"there is no option {name}") for at, name in options if name not in title.options.__struct_fields__]
    wrong = [*rows_wrong(found, json_decoder(title.file)(title.data)), *unknown]
    return wrong or [*map(located, title.wrong(found))]


def located(flaw: Flaw) -> Flaw:
    """An error of msgspec, which names a place within the one where it was found, at that place.

    It ends with ` - at `$.spaces[3].x``; a pointer is /spaces/3/x. It names no keys: they become *.
    """
    detail, _, path = flaw.detail.partition(" - at `$")
    further = path.replace("[...]", "/*").rstrip("`").replace("[", "/").replace("]", "").replace(".", "/")
    return Flaw(flaw.pointer + further, detail, flaw.remark)


def rows_wrong(found: DataFile, own: DataFile) -> Iterator[Flaw]:
    """An id stands in one row and its row has an English name; the ids that the rules know are there."""
    rows = rows_of(found)
    seen = Counter(row.id for _, row in rows)
    for at, row in rows:
        if seen[row.id] > 1:
            yield Flaw(f"{at}/id", f"{row.id} stands here {seen[row.id]} times")
        if not getattr(row, "name", {"en": row.id}).get("en"):
            yield Flaw(f"{at}/name", "there is no English name")
    known = [(at, row.id) for at, row in rows_of(own) if at.split("/")[1] in found.known]
    yield from (Flaw(at.rpartition("/")[0], f"{name} is missing") for at, name in known if name not in seen)


def rows_of(file: DataFile) -> list[tuple[str, Any]]:
    """Each row that has an id, with its pointer; rulings have ids of their own."""
    lists = {name: getattr(file, name) for name in file.__struct_fields__ if name != "rulings"}
    rows = [(f"/{name}/{i}", row) for name, rows in lists.items() if isinstance(rows, list) for i, row in enumerate(rows)]
    return [(at, row) for at, row in rows if hasattr(row, "id")]
