"""Slots as integers, layouts, and the views of each audience."""
from __future__ import annotations

from typing import Any

import pytest

from ludarium_engine.kernel import SPECTATOR, UNKNOWN, Frame, State, view
from ludarium_engine.kernel.facts import Became
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.scripts import Pick, Script
from ludarium_engine.kernel.slots import (
    ALL,
    NOTHING,
    TOP_CARD,
    Hidden,
    Owner,
    Public,
    entry_index,
    field_number,
    fields_of,
    read_slot,
    slot_name,
)
from ludarium_engine.testkit.audiences import opened_layout
from tests.engine.kernel.tiny import Tiny, TinyOptions, at, blank, tiny

a: Any = at                                     # untyped, because slots are ints here
TITLE = tiny(Script("main", picks=(Pick("a"), Pick("b", shown=True))))


def full() -> Tiny:
    s = blank(TinyOptions(), 3)
    s.hand, s.deck, s.discard = [[0, 1], [2], []], [3, 4], [[5, 6], [7, 8], []]
    s.shown, s.table, s.gone, s.purse, s.fate = [9, 10], [11], [12, 13], [5, 6, 7], 4
    return s


# --- slots ------------------------------------------------------------------------------------------------------------
def test_a_slot_is_a_field_and_an_index() -> None:
    where = int(a.discard[2])
    assert (field_number(where), entry_index(where)) == (2, 2)
    assert (field_number(int(a.die)), entry_index(int(a.die))) == (8, -1)


def test_a_slot_is_read_written_and_named() -> None:
    s = full()
    assert read_slot(s, int(a.hand[0])) == [0, 1] and read_slot(s, int(a.fate)) == 4
    Became(a.coins[1], 8).apply(s)
    Became(a.die, 3).apply(s)
    assert s.coins == [0, 8, 0] and s.die == 3
    assert slot_name(s, int(a.coins[1])) == "coins.1" and slot_name(s, int(a.deck)) == "deck"


def test_there_is_no_slot_that_is_no_field() -> None:
    with pytest.raises(AttributeError):
        _ = a.purs


@pytest.mark.parametrize("index", [-1, 63])
def test_an_index_fits_its_bits(index: int) -> None:
    with pytest.raises(IndexError):
        at.hand[index]


def test_the_last_index_stays_in_its_field() -> None:
    assert field_number(int(a.hand[62])) == 0


# --- layouts ------------------------------------------------------------------------------------------------------------
def test_every_field_declares_its_visibility() -> None:
    class Blind(State, array_like=True):
        cards: list[int] = []

    with pytest.raises(TypeError, match=r"Blind\.cards: no visibility"):
        list(fields_of(Blind))


def test_a_field_has_a_type_that_facts_can_write() -> None:
    class Odd(State, array_like=True):
        words: Public[list[str]] = []

    with pytest.raises(TypeError, match=r"Odd\.words"):
        list(fields_of(Odd))


def test_the_layout_is_the_fields_in_order() -> None:
    assert [(f.name, f.visibility, f.kind) for f in TITLE.layout.fields][:4] == [
        ("hand", "owner", "piles"), ("deck", "hidden", "pile"), ("discard", "owner_top", "piles"),
        ("shown", "owner_top", "pile"),
    ]  # fmt: skip
    assert [f.kind for f in TITLE.layout.fields[6:]] == ["numbers", "numbers", "number", "number", "flag", "flags", "lists"]


@pytest.mark.parametrize(("name", "owner", "others", "whole"), [
    ("hand", ALL, NOTHING, NOTHING), ("deck", NOTHING, NOTHING, NOTHING), ("discard", ALL, TOP_CARD, TOP_CARD),
    ("shown", ALL, TOP_CARD, TOP_CARD), ("table", ALL, ALL, ALL), ("gone", NOTHING, NOTHING, NOTHING),
])  # fmt: skip
def test_what_each_sight_shows(name: str, owner: int, others: int, whole: int) -> None:
    field = getattr(a, name)
    seat_1 = int(field) + 2
    assert TITLE.layout.depth_for(1, seat_1) == owner
    assert TITLE.layout.depth_for(0, seat_1) == TITLE.layout.depth_for(SPECTATOR, seat_1) == others
    assert TITLE.layout.depth_for(1, int(field)) == whole


def test_one_field_is_opened_in_a_flipped_layout() -> None:
    opened = opened_layout(TITLE.layout, "hand")
    assert opened.depth_for(SPECTATOR, a.hand[0]) == ALL and opened.depth_for(SPECTATOR, int(a.deck)) == NOTHING
    assert opened.view(full(), SPECTATOR).hand == full().hand


# --- views --------------------------------------------------------------------------------------------------------------
def test_a_seat_sees_its_own_and_what_is_public() -> None:
    seen = view(TITLE, full(), 1)
    assert seen.hand == [[-1, -1], [2], []] and seen.deck == [-1, -1] and seen.gone == [-1, -1] and seen.table == [11]
    assert seen.discard == [[-1, 6], [7, 8], []] and seen.shown == [-1, 10]
    assert seen.purse == [UNKNOWN, 6, UNKNOWN] and seen.fate == UNKNOWN and seen.coins == [0, 0, 0]


def test_spectators_see_what_is_public() -> None:
    seen = view(TITLE, full(), SPECTATOR)
    assert seen.hand == [[-1, -1], [-1], []] and seen.discard == [[-1, 6], [-1, 8], []] and seen.purse == [-1] * 3


def test_a_view_leaves_the_state_as_it_was() -> None:
    s = full()
    view(TITLE, s, 0)
    assert s == full()


def test_what_the_kernel_keeps_is_masked_too() -> None:
    s = full()
    s.drawn, s.always_passes = {"fate": 3}, [(0, "main"), (1, "main")]
    s.agenda = [Frame("main", 0, 0, (1,), (7, 8))]
    seen = view(TITLE, s, 1)
    assert seen.drawn == {} and seen.always_passes == [(1, "main")] and seen.agenda[0].picks == (UNKNOWN, 8)
    assert view(TITLE, s, SPECTATOR).always_passes == []


def test_sights_that_show_a_top_card_are_known() -> None:
    assert isinstance(TITLE.layout, Layout)
    assert [f.name for f, top in zip(TITLE.layout.fields, TITLE.layout.shows_top, strict=True) if top] == ["discard", "shown"]


def test_sights_are_typed() -> None:
    class Two(State, array_like=True):
        mine: Owner[int] = 0
        fate: Hidden[bool] = False

    assert [(f.visibility, f.kind) for f in fields_of(Two)] == [("owner", "number"), ("hidden", "flag")]
