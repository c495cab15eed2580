"""The published types of stored events, and which numbers a change must raise.

Usage: `python -m tests.records.signatures`. The struct of a stored event never changes, so another field, type or default
needs the next schema number and a new struct. `--publish` adds new structs to signatures.json. Until 0.1.0, a fact may also
accept more than before if every published event reads as before. In this case, edit the fact's line by hand, and note the
change in CHANGELOG.
"""
from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, get_args

import msgspec

from ludarium.tables.deals.events import DEAL_KINDS
from ludarium.tables.model.event_types import KINDS
from ludarium.tables.model.events import Deal
from ludarium.tables.model.policies import Absence, LatestPolicies, Policies, Spectators, TablePolicies
from ludarium.tournaments.event_types import TOURNAMENT_EVENTS
from ludarium_engine.kernel import Action, Frame
from ludarium_engine.kernel.facts import AnyFact

FILE = Path(__file__).with_name("signatures.json")


def signature(kind: type[Any]) -> str:
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    fields = [f"{f.encode_name}: {named(f.type)}{'' if f.required else '?'}" for f in info.fields]
    return f"{'' if info.tag is None else f'{info.tag} '}{kind.__name__}({', '.join(fields)})"


def named(type_: Any) -> str:
    match type_:
        case msgspec.inspect.UnionType(types=types) if {getattr(one, "cls", None) for one in types} == {*get_args(AnyFact)}:
            return "fact"                       # each fact has a tag and a line of its own, so a new fact changes no event
        case msgspec.inspect.UnionType(types=types):
            return " | ".join(map(named, types))
        case msgspec.inspect.StructType(cls=cls):
            return cls.__name__
        case msgspec.inspect.ListType(item_type=item) | msgspec.inspect.VarTupleType(item_type=item):
            return f"[{named(item)}]"
        case msgspec.inspect.TupleType(item_types=items):
            return f"({', '.join(map(named, items))})"
        case msgspec.inspect.LiteralType(values=values):
            return " | ".join(map(repr, values))
        case _:
            return type(type_).__name__.removesuffix("Type").lower()


def signatures() -> dict[str, str]:
    kinds = {**KINDS, **DEAL_KINDS, **TOURNAMENT_EVENTS}
    rows = {f"row {type_}, schema {schema}": signature(kind) for (type_, schema), kind in kinds.items()}
    facts = {f"fact {signature(kind).split()[0]}": signature(kind) for kind in get_args(AnyFact)}
    held = (Deal, Action, Frame, Policies, TablePolicies, LatestPolicies, Spectators, Absence)
    parts = {f"part {kind.__name__}": signature(kind) for kind in held}
    return {**rows, **facts, **parts}


def complaints() -> list[str]:
    published, now = json.loads(FILE.read_text()), signatures()
    changed = [name for name, said in published.items() if now.get(name) != said]
    return [
        *(f"{name} is published as {published[name]}, and is {now.get(name, 'gone')}: give the change "
          f"{'a schema number of its own' if name.startswith('row') else 'the rows that hold it the next schema number'}"
          for name in changed),
        *(f"{name} is new: python -m tests.records.signatures --publish" for name in now.keys() - published.keys()),
    ]  # fmt: skip


def main(publish: bool) -> int:
    if publish:
        known = json.loads(FILE.read_text()) if FILE.exists() else {}
        FILE.write_text(json.dumps({**signatures(), **known}, indent=1) + "\n")
    found = complaints()
    for complaint in found:
        print(complaint, file=sys.stderr)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main("--publish" in sys.argv))
