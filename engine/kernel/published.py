"""What must be known to read a title's stored games, as documents: its layout, and its zones before the set-up.

Both are JSON, named by their BLAKE2b-256 hash. A game's rows were written under the layout that it names, whatever the title's
is today: old rows are redacted and folded by the document.
"""
from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from engine.kernel.layout import Layout
from engine.kernel.scripts import Script, row_name
from engine.kernel.slots import FIRST, UNKNOWN, Field, Frame, S, Sight, State

if TYPE_CHECKING:
    from engine.kernel.title import Title

SIGHTS = {sight.name.lower(): sight for sight in Sight}


class FieldBody(msgspec.Struct, frozen=True):
    """A field of the state. kind: pile, piles, number, numbers, flag, flags or lists; sight: one of `sights`."""

    name: str
    kind: str
    sight: str


class PickBody(msgspec.Struct, frozen=True):
    """A number that the frames of a script carry; shown: to everybody, else to nobody."""

    name: str
    shown: bool


class ScriptBody(msgspec.Struct, frozen=True):
    """What a frame's numbers name: its rows and its picks, in order."""

    name: str
    rows: list[str]
    picks: list[PickBody]


class VerbBody(msgspec.Struct, frozen=True):
    """What the arguments of an action and the pieces of its subset are."""

    args: tuple[str, ...]
    subset: str | None


class LayoutBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """sights: by name, how much a field's owner and everybody else see: 2 all, 1 the top card, 0 nothing."""

    title: str
    sights: dict[str, tuple[int, int]]
    fields: list[FieldBody]
    scripts: list[ScriptBody]
    verbs: dict[str, VerbBody]
    told: dict[str, tuple[str, ...]]
    predicates: dict[str, tuple[str, ...]] = {}
    says: dict[str, tuple[str, ...]] = {}


def hash_of(document: bytes) -> bytes:
    """BLAKE2b-256: the name of a document."""
    return hashlib.blake2b(document, digest_size=32).digest()


def layout_document(title: Title[Any, Any]) -> bytes:
    return msgspec.json.encode(
        LayoutBody(
            title.id,
            {name: (sight.owner, sight.others) for name, sight in SIGHTS.items()},
            [FieldBody(f.name, f.kind, f.sight.name.lower()) for f in title.layout.fields],
            [script_body(script) for script in title.scripts.values()],
            {name: VerbBody(verb.args, verb.subset) for name, verb in title.verbs.items()},
            {**title.told},
            {name: predicate.args for name, predicate in title.predicates.items()},
            {**title.says},
        )
    )


def script_body(script: Script) -> ScriptBody:
    picks = [PickBody(pick.name, pick.shown) for pick in script.picks]
    return ScriptBody(script.name, [row_name(row) for row in script.rows], picks)


def read_layout(document: bytes) -> Layout:
    """As the document has it: depths are the document's own. Raises msgspec.MsgspecError, KeyError for what is none."""
    body = msgspec.json.decode(document, type=LayoutBody)
    fields = [Field(f.name, SIGHTS[f.sight], f.kind) for f in body.fields]
    shown = {script.name: {pick.name: pick.shown for pick in script.picks} for script in body.scripts}
    return Layout(fields, shown, [body.sights[f.sight] for f in body.fields])


def taken_up(agenda: Iterable[Frame], before: bytes, after: bytes) -> list[Frame]:
    """Frames of games under one layout, as another has them. Raises LookupError where a script or a row is gone."""
    old, new = scripts_in(before), scripts_in(after)
    return [found_again(f, old[f.script], new[f.script]) for f in agenda]


def found_again(f: Frame, old: ScriptBody, new: ScriptBody) -> Frame:
    """At the row of the same name, the second of two if it was that; picks by their names too, new ones unknown."""
    name = old.rows[f.row]
    rows = [nth for nth, row in enumerate(new.rows) if row == name]
    known = {pick.name: value for pick, value in zip(old.picks, f.picks, strict=True)}
    picks = tuple([known.get(pick.name, UNKNOWN) for pick in new.picks])
    return Frame(f.script, f.seat, rows[old.rows[: f.row].count(name)], f.asked, picks, f.sealed)


@lru_cache(maxsize=256)
def scripts_in(layout: bytes) -> Mapping[str, ScriptBody]:
    """By name."""
    return {script.name: script for script in msgspec.json.decode(layout, type=LayoutBody).scripts}


def zones_document(s: State) -> bytes:
    """The zones of a game before its set-up, by name."""
    return msgspec.json.encode({name: getattr(s, name) for name in s.__struct_fields__[FIRST:]})


def with_zones(s: S, document: bytes) -> S:
    """A blank state, its zones as the document has them; those that it does not name are as they are."""
    zones = msgspec.json.decode(document, type=dict[str, Any])
    known = [zones.get(name, getattr(s, name)) for name in s.__struct_fields__[FIRST:]]
    return msgspec.convert([*msgspec.structs.astuple(s)[:FIRST], *known], type(s))
