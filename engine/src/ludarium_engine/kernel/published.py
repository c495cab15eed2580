"""Encode and decode the documents that a title publishes.

These are its layout, its zones before the set-up, and its schemas. Layouts and zones are JSON documents named by their
BLAKE2b-256 hash. A game names the layout under which its events were written. These events are redacted and folded by that
document, even if the title's layout has changed since.
"""
from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import msgspec

from ludarium_engine.kernel.bodies import ChoiceBody, FactBody, ViewBody
from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT
from ludarium_engine.kernel.decoding import converter, json_decoder
from ludarium_engine.kernel.layout import Layout, PickBody, ScriptBody, layout_of
from ludarium_engine.kernel.protocols import ScriptLike, TitleLike
from ludarium_engine.kernel.slots import FIRST_FIELD, KINDS, UNKNOWN, VISIBILITIES, Field, Frame, S, State, depths_of, fields_of


class LayoutBody(msgspec.Struct, frozen=True, omit_defaults=True):
    """The layout document of a title.

    Attributes:
        title: the id of the title.
        sights: by visibility, how much the owner and all others see of a field: 2 everything, 1 the top card, 0 nothing. The
            owners
        of a field with visibility `members:ZONE` are the seats whose entry in that zone is the index of the slot, or 1 for a
        field without entries.
        fields: the fields of the state, in order.
        scripts: the scripts with the names of their rows and picks.
        verbs: by name, the kinds of an action's arguments (`args`) and of the pieces of its subset (`subset`, which may be
            null).
        told: the kinds of the parameters of each disclosure, by its id.
        predicates: the kinds of the parameters of each predicate, by its id.
        says: the kinds of the parameters of each game log sentence, by its id.
    """

    title: str
    sights: dict[str, tuple[int, int]]
    fields: Sequence[Field]
    scripts: list[ScriptBody]
    verbs: dict[str, dict[str, Any]]
    told: Mapping[str, tuple[str, ...]]
    predicates: dict[str, tuple[str, ...]] = {}
    says: Mapping[str, tuple[str, ...]] = {}


_layout_body = json_decoder(LayoutBody)
_zones = json_decoder(dict[str, Any])


def document_hash(document: bytes) -> bytes:
    """Return the BLAKE2b-256 hash (32 bytes) that names a document."""
    return hashlib.blake2b(document, digest_size=32).digest()


def encode_layout(title: TitleLike) -> bytes:
    """Encode the layout document of a title as JSON."""
    scripts = [script_body(script) for script in title.scripts.values()]
    verbs = {name: {"args": verb.args, "subset": verb.subset} for name, verb in title.verbs.items()}
    admitted = {name: predicate.args for name, predicate in title.predicates.items()}
    fields, told, says = [*fields_of(title.state)], title.disclosures, title.sentences
    sights = VISIBILITIES | {f.visibility: depths_of(f.visibility) for f in fields if f.members}
    return msgspec.json.encode(LayoutBody(title.id, sights, fields, scripts, verbs, told, admitted, says))


def script_body(script: ScriptLike) -> ScriptBody:
    picks = [PickBody(pick.name, pick.shown) for pick in script.picks]
    return ScriptBody(script.name, [script.row_name(nth) for nth in range(len(script.rows))], picks)


def read_layout(document: bytes) -> Layout:
    """Decode a layout document.

    Raises:
        msgspec.MsgspecError: the document is not a layout document.
        KeyError: a field has a visibility that the document does not define.
    """
    body = _layout_body(document)
    return layout_of(body.fields, body.scripts, [body.sights[f.visibility] for f in body.fields])


def migrate_agenda(agenda: Iterable[Frame], before: Layout, after: Layout) -> list[Frame]:
    """Convert frames from one layout to another, by names.

    Raises:
        LookupError: the new layout has no such script or row.
    """
    return [migrate_frame(f, before.scripts[f.script], after.scripts[f.script]) for f in agenda]


def migrate_frame(f: Frame, old: ScriptBody, new: ScriptBody) -> Frame:
    """Convert a frame by the names of its row and picks.

    Picks that are new are UNKNOWN.
    """
    name = old.rows[f.row]
    rows = [nth for nth, row in enumerate(new.rows) if row == name]
    known = {pick.name: value for pick, value in zip(old.picks, f.picks, strict=True)}
    picks = tuple([known.get(pick.name, UNKNOWN) for pick in new.picks])
    return Frame(f.script, f.seat, rows[old.rows[: f.row].count(name)], f.asked, picks, f.sealed)


def zones_document(s: State) -> bytes:
    """Encode the zones of a state as JSON, by name."""
    return msgspec.json.encode({name: getattr(s, name) for name in s.__struct_fields__[FIRST_FIELD:]})


def with_zones(s: S, document: bytes) -> S:
    """Return a copy of the state with the zones of a document.

    Zones that the document does not name keep their content.
    """
    zones = _zones(document)
    known = [zones.get(name, getattr(s, name)) for name in s.__struct_fields__[FIRST_FIELD:]]
    return converter(type(s))([*msgspec.structs.astuple(s)[:FIRST_FIELD], *known])


# --- for clients --------------------------------------------------------------------------------------------------------------
CardId = Annotated[int, msgspec.Meta(ge=UNKNOWN)]
TYPES = {kind: plain for plain, kind in KINDS.items()} | {"pile": list[CardId], "piles": list[list[CardId]]}


def schemas(title: TitleLike) -> dict[str, Any]:
    """Return the JSON Schemas of a ruleset, with its layout.

    The schemas describe its options, view, choice and facts.
    """
    types = (title.options, ViewBody, ChoiceBody, FactBody)
    (options, view_, choice, fact), components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    fields = title.layout.fields
    zones = {f.name: msgspec.json.schema(TYPES[f.kind]) for f in fields}
    properties = components["ViewBody"]["properties"]
    properties["zones"] = {"type": "object", "properties": zones, "required": [*zones], "additionalProperties": False}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title.name["en"],
        "ruleset": title.id,
        "properties": {"options": options, "view": view_, "choice": choice, "fact": fact},
        "layout": [{"zone": f.name, "sight": f.visibility, "kind": f.kind, "of": title.numbers.get(f.name)} for f in fields],
        "scripts": {name: [p.name for p in script.picks] for name, script in title.scripts.items()},
        "verbs": {
            name: {"args": [*v.args], "ranges": [*map(partial(range_of, title), v.args, v.ranges)], "subset": v.subset}
            for name, v in title.verbs.items()
        },
        "$defs": components,
    }


def range_of(title: TitleLike, kind: str, numbers: range | None) -> list[int] | None:
    """Return the least and the greatest value of an argument.

    Returns:
        None if these values depend on the table.
    """
    known = {CARD: [card.id for card in title.cards], SEAT: range(title.seats.stop - 1), NUMBER: numbers or ()}
    ends = [text.removeprefix(kind) for text in title.texts["en"] if kind.endswith(".") and text.startswith(kind)]
    values = [*known.get(kind, ()), *(int(end) for end in ends if end.isdecimal())]
    return [min(values), max(values)] if values else None
