"""Random games use every printed item, as a table of counts shows.

A tile or creature had an effect if the same command without it would be illegal or have other consequences. An optional
item must also have been declined, which means that it was offered and something else was chosen.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from ludarium_engine.kernel import Action, Chance, Event, act_in_place, checked_options, clone, legal_offers, new_game
from ludarium_engine.kernel.facts import Agenda, AnyFact, Moved, Said
from ludarium_engine.testkit.fuzz import chance_of
from ludarium_engine.testkit.sample import random_move
from ludarium_engine.titles.kemet import TITLE
from ludarium_engine.titles.kemet.cards import CREATURES, DI, ID, TILES
from ludarium_engine.titles.kemet.state import Kemet

GAMES = range(100)
AT_ONCE = ("victory_point", "strategy", *(ID[card] for card in CREATURES))      # tiles with an effect when they are bought
TILE_OF = {
    "silver": ("w4_act_of_god", "r4_act_of_god", "b4_act_of_god"), "gold": ("b4_divine_will",), "look": ("w3_vision",),
    "bless": ("w3_hand_of_god",), "bless_new": ("w3_hand_of_god",), "reinforce": ("b4_reinforcements",),
    "wound": ("r3_divine_wound",), "teleport": ("r2_teleport",),
}  # fmt: skip
WITH_A_CARD = ("play", "veto", "escape", "deploy", "buy")


class Table:
    """Counts of how often each item had an effect, and how often it was declined."""

    def __init__(self) -> None:
        self.used: Counter[str] = Counter()
        self.declined: Counter[str] = Counter()

    def take_in(self, before: Kemet, seat: int, action: Action, event: Event, chance: Chance) -> None:
        self.used.update(shown(event))
        self.declined.update(declined(before, seat, action))
        for card, other in without(before, self.used):
            if differs(other, card, seat, action, event, chance):
                self.used[ID[card]] += 1

    def unused(self) -> list[str]:
        return [name for name in dict.fromkeys(ID) if not self.used[name]]

    def never_declined(self) -> list[str]:
        """Return the items that were never declined.

        Battle cards are left out, because they must be used.
        """
        return [name for name in {ID[card] for card in (*DI, *TILES, *CREATURES)} if not self.declined[name]]

    def __str__(self) -> str:
        return "\n".join(f"{name:24} {self.used[name]:6} {self.declined[name]:6}" for name in dict.fromkeys(ID))


def shown(event: Event) -> Iterator[str]:
    """Yield cards that were played or used in battle, and effects of bought tiles."""
    fields = [f.name for f in TITLE.layout.fields]
    for fact in event.facts:
        if isinstance(fact, Moved):
            src, dst = fields[fact.src >> 6], fields[fact.dst >> 6]
            yield from (ID[card] for card in fact.cards if (src, dst) in MOVES)
            yield from (ID[card] for card in fact.cards if src == "market" and any(w in ID[card] for w in AT_ONCE))


MOVES = {("announced", "di_discards"), ("di", "hidden_help"), ("fighting", "used")}


def declined(s: Kemet, seat: int, action: Action) -> Iterator[str]:
    for offer in legal_offers(TITLE, s, seat):
        left = set(offer.pool) - set(action.args)
        if offer.verb == action.verb and left:
            yield from {ID[card] for card in left} if offer.verb == "fight" else set(TILE_OF["wound"])
        elif not offer.allows(action):
            mine = {ID[tile] for tile in s.tiles[seat]}
            yield from (tile for tile in TILE_OF.get(offer.verb, ()) if tile in mine)
            if offer.verb in WITH_A_CARD:
                yield ID[offer.args[0]]


def without(s: Kemet, covered: Counter[str]) -> Iterator[tuple[int, Kemet]]:
    """Yield the game without one tile or creature that has had no effect yet."""
    for seat in range(s.seats):
        for tile in s.tiles[seat]:
            if not covered[ID[tile]]:
                other = clone(s)
                other.tiles[seat].remove(tile)
                yield tile, other
    for space, cards in enumerate(s.creatures):
        for creature in cards:
            if not covered[ID[creature]]:
                other = clone(s)
                other.creatures[space].remove(creature)
                yield creature, other


def differs(other: Kemet, card: int, seat: int, action: Action, event: Event, chance: Chance) -> bool:
    if not any(offer.allows(action) for offer in legal_offers(TITLE, other, seat)):
        return True
    again = act_in_place(TITLE, other, seat, action, chance)
    return consequences(event.facts, card) != consequences(again.facts, card)


def consequences(facts: list[AnyFact], card: int) -> list[AnyFact]:
    """Return the facts without moves of the card and without sentences.

    For a creature, facts of the agenda are left out too.
    """
    if card in CREATURES:
        facts = [f for f in facts if not isinstance(f, Agenda)]
    return [f for f in facts if not isinstance(f, Said) and not (isinstance(f, Moved) and f.cards == (card,))]


@pytest.fixture(scope="module")
def table() -> Table:
    found = Table()
    for seed in GAMES:
        watch(found, seed, seats=2 + seed % 4)
        if not found.unused() and not found.never_declined():
            break
    print(f"{'':24} {'effect':>6} {'no use':>6}\n{found}")
    return found


def watch(found: Table, seed: int, seats: int) -> None:
    rng, chance = Random(seed), chance_of(seed)
    s, _ = new_game(TITLE, checked_options(TITLE, {"length": "long"}, seats), seats, chance)
    while s.outcome is None:
        seat, action = random_move(TITLE, s, rng)
        before = clone(s)
        found.take_in(before, seat, action, act_in_place(TITLE, s, seat, action, chance), chance)


def test_everything_printed_has_had_an_effect(table: Table) -> None:
    assert not table.unused()


def test_everything_optional_has_been_declined(table: Table) -> None:
    assert not table.never_declined()
