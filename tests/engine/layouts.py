"""Published parts of layouts, to which facts in stored games refer.

These are the fields, scripts, rows and picks of each title in layouts/*.json. `python -m tests.engine.layouts` publishes
appended fields, and rows and picks at any place, because stored frames refer to those by name. It refuses other changes,
which would need an upcaster for stored games. A title whose layout has changed needs a higher `revision`.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from ludarium_engine.kernel import Title
from ludarium_engine.kernel.published import LayoutBody
from ludarium_engine.kernel.scripts import row_name
from ludarium_engine.registry import titles

FOLDER = Path(__file__).parent / "layouts"
Layout = dict[str, dict[str, list[str]]]


def layout_of(title: Title[Any, Any]) -> Layout:
    found = {"state": {"fields": [f"{f.name}: {f.visibility} {f.kind}" for f in title.layout.fields]}}
    for name, script in title.scripts.items():
        found[name] = {"rows": [row_name(row) for row in script.rows], "picks": [pick.name for pick in script.picks]}
    found["story"] = {"sentences": [f"{name}: {', '.join(kinds)}" for name, kinds in title.sentences.items()]}
    return found


def published(title: Title[Any, Any]) -> Layout:
    path = FOLDER / f"{title.id}.json"
    found: Layout = json.loads(path.read_text()) if path.exists() else {}
    return found


def difference(title: Title[Any, Any]) -> str | None:
    """Return the difference between the layout and the published one, or None."""
    now, then = layout_of(title), published(title)
    if broken := changes(now, then):
        return f"{title.id}: changed, not appended: {'; '.join(broken)}"
    return None if now == then else f"{title.id}: not published; run python -m tests.engine.layouts"


def changes(now: Layout, then: Layout) -> list[str]:
    """Return the published entries that are missing from the layout.

    A field that has another number counts as missing.
    """
    parts = [(name, kind, part) for name, published in then.items() for kind, part in published.items()]
    return [f"{name} {kind} {i}: {entry}" for name, kind, part in parts for i, entry in enumerate(part)
            if not stands(entry, i, part, now.get(name, {}).get(kind, []), kind)]


def stands(entry: str, i: int, then: list[str], now: list[str], kind: str) -> bool:
    """Check that an entry is still present; a row name may not occur less often."""
    return now[i : i + 1] == [entry] if kind == "fields" else now.count(entry) >= then.count(entry)


def redeclared(title: Title[Any, Any], field: str, visibility: str) -> bytes:
    """Return the layout document with a different visibility for one field."""
    body = msgspec.json.decode(title.layout_document, type=LayoutBody)
    fields = [replace(f, visibility=visibility) if f.name == field else f for f in body.fields]
    return msgspec.json.encode(replace(body, fields=fields))


def publish() -> int:
    for title in titles().values():
        if broken := changes(layout_of(title), published(title)):
            print(title.id, *broken, sep="\n", file=sys.stderr)
            return 1
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / f"{title.id}.json").write_text(json.dumps(layout_of(title), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(publish())
