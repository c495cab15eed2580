"""The published description of a ruleset: JSON Schemas, and the layout that its log is written in."""
from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from engine.kernel.bodies import ChoiceBody, FactBody, ViewBody
from engine.kernel.slots import ENTRIES
from engine.kernel.title import CARD, NUMBER, SEAT, Title

VALUES: dict[str, dict[str, Any]] = {
    "number": {"type": "integer"},
    "flag": {"type": "boolean"},
    "pile": {"type": "array", "items": {"type": "integer", "minimum": -1}},
}
for whole, entry in ENTRIES.items():
    VALUES[whole] = {"type": "array", "items": VALUES[entry]}


def schemas(title: Title[Any, Any]) -> dict[str, Any]:
    """JSON Schema of a ruleset's options, view, choice and facts, and its published layout."""
    types = (title.options, ViewBody, ChoiceBody, FactBody)
    (options, view_, choice, fact), components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    zones = {f.name: VALUES[f.kind] for f in title.layout.fields}
    properties = components["ViewBody"]["properties"]
    properties["zones"] = {"type": "object", "properties": zones, "required": [*zones], "additionalProperties": False}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title.name["en"],
        "ruleset": title.id,
        "properties": {"options": options, "view": view_, "choice": choice, "fact": fact},
        "layout": [
            {"zone": f.name, "sight": f.sight.name.lower(), "kind": f.kind, "of": title.numbers.get(f.name)}
            for f in title.layout.fields
        ],
        "scripts": {name: [p.name for p in script.picks] for name, script in title.scripts.items()},
        "verbs": {
            name: {"args": [*v.args], "ranges": [*map(partial(range_of, title), v.args, v.ranges)], "subset": v.subset}
            for name, v in title.verbs.items()
        },
        "$defs": components,
    }


def range_of(title: Title[Any, Any], kind: str, numbers: range | None) -> list[int] | None:
    """The least and the greatest value of an argument; None where the title does not say, or the table does."""
    known = {CARD: [card.id for card in title.cards], SEAT: range(title.seats.stop - 1), NUMBER: numbers or ()}
    ends = [text.removeprefix(kind) for text in title.texts["en"] if kind.endswith(".") and text.startswith(kind)]
    values = [*known.get(kind, ()), *(int(end) for end in ends if end.isdecimal())]
    return [min(values), max(values)] if values else None
