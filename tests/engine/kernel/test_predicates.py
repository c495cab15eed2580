"""Admissions are answers that the kernel computes from a seat's hidden cards.

If an admission names a hidden card, it reveals that card.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from ludarium_engine.kernel.choices import CARD, SEAT, RulesError
from ludarium_engine.kernel.contract import encode
from ludarium_engine.kernel.facts import EVERYBODY, Admitted, AnyFact, Revealed, Told
from ludarium_engine.kernel.published import read_layout
from ludarium_engine.kernel.table import Table
from ludarium_engine.kernel.title import COMPARED, Predicate
from tests.engine.kernel.tiny import CHANCE, T, Tiny, TinyOptions, at, blank, tiny

a: Any = at
PREDICATES = {
    "holds": Predicate(lambda s, seat, card: card in s.hand[seat], (SEAT, CARD)),
    "has more": Predicate(lambda s, seat, by: len(s.hand[seat]) - by, (SEAT, "number"), COMPARED),
}
TITLE = tiny(predicates=PREDICATES, disclosures={"named": (SEAT, CARD)})


def table() -> T:
    s = blank(TinyOptions(), 3)
    s.hand, s.deck, s.discard[1], s.shown, s.gone = [[1, 2], [3], []], [4], [5, 6], [7, 8], [9]
    return Table(TITLE, s, CHANCE)


def test_the_kernel_finds_the_answer_and_nothing_else_changes() -> None:
    t, before = table(), encode(table().s)
    assert t.admit("holds", 0, 2, to=EVERYBODY) == 1
    assert t.admit("holds", 1, 2, to=(0, 1)) == 0
    assert t.admit("has more", 0, 3, to=(2,)) == -1
    assert t.facts == [
        Admitted("holds", (0, 2), 1, EVERYBODY), Admitted("holds", (1, 2), 0, (0, 1)), Admitted("has more", (0, 3), -1, (2,)),
    ]  # fmt: skip
    assert encode(t.s) == before


def test_it_is_stored_as_it_was() -> None:
    fact: AnyFact = Admitted("has more", (0, 3), -1, (2,))
    assert msgspec.msgpack.decode(encode(fact), type=AnyFact) == fact


@pytest.mark.parametrize(("what", "args"), [("has more", (0, 0)), ("holds", (0,)), ("holds", (0, 1, 2))])
def test_what_has_no_answer_is_refused(what: str, args: Sequence[int]) -> None:
    t = table()
    with pytest.raises(RulesError, match="is none of"):
        t.admit(what, *args, to=EVERYBODY)
    assert not t.facts


def test_a_predicate_stands_in_the_layout_and_none_leaves_it_as_it_was() -> None:
    assert b'"predicates":{"holds":["seat","card"]' in TITLE.layout_document and read_layout(TITLE.layout_document)
    assert b"predicates" not in tiny().layout_document


@pytest.mark.parametrize(("card", "to", "where"), [
    (1, EVERYBODY, a.hand[0]), (1, (0,), None), (1, (0, 2), a.hand[0]), (4, (0,), a.deck),
    (6, EVERYBODY, None), (5, (2,), a.discard[1]), (5, (1,), None), (8, EVERYBODY, None), (7, (0,), a.shown),
    (9, EVERYBODY, None),                       # all saw it when it was moved there
    (1, (), None),
])  # fmt: skip
def test_a_card_that_is_named_to_somebody_who_does_not_see_it_is_revealed(
    card: int, to: tuple[int, ...], where: int | None
) -> None:
    t = table()
    t.disclose("named", 0, card, to=to)
    assert t.facts == [*([] if where is None else [Revealed((card,), where, to)]), Told("named", (0, card), to)]
    assert isinstance(t.s, Tiny)
