"""The data file as it stands, and what is found in one that does not fit."""
from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.kernel.data import flaws
from engine.kernel.schemas import schemas
from engine.valley_of_the_kings import TITLE
from engine.valley_of_the_kings.cards import CARDS, DATA, EDITIONS, FACTS, KIND, ROWS, card_of, starters
from engine.valley_of_the_kings.plans import PLANS, decoder, plan_of
from engine.valley_of_the_kings.pools import SIZES

Facts = dict[str, Any]


def broken(change: Callable[[Facts], object]) -> list[tuple[str, str]]:
    facts = json.loads(DATA)
    change(facts)
    return [(flaw.pointer, flaw.detail) for flaw in flaws(TITLE, json.dumps(facts).encode())]


def card(facts: Facts, name: str) -> Facts:
    return next(row for row in facts["cards"] if row["id"] == name)


def where(name: str) -> str:
    return f"/cards/{[row.id for row in ROWS].index(name)}"


# --- the file itself --------------------------------------------------------------------------------------------------
def test_the_boxes_hold_what_the_rulebooks_count() -> None:
    """107 kinds of cards and 10 pharaohs; 120 starters for six, three times 56 cards, 6 extra uniques."""
    assert len(ROWS) == 117 and Counter(row.type == "pharaoh" for row in ROWS) == {False: 107, True: 10}
    cards = [c for c in CARDS if c.facts["type"] != "pharaoh"]
    assert len(cards) == 294
    levels = Counter((c.facts["edition"], c.facts["level"]) for c in cards)
    assert levels == {
        ("base", 1): 60, ("base", 2): 29, ("base", 3): 27, ("afterlife", 2): 29, ("afterlife", 3): 27,
        ("last_rites", 1): 60, ("last_rites", 2): 28, ("last_rites", 3): 28, ("premium", 2): 3, ("premium", 3): 3,
    }  # fmt: skip


def test_a_starting_deck() -> None:
    names = Counter(ROWS[KIND[c]].id for c in starters("base", 3))
    assert names == {"shabti": 4, "urn": 3, "box_of_food": 2, "offering_table": 1}
    every = [c for family in ("base", "last_rites") for seat in range(6) for c in starters(family, seat)]
    assert len(set(every)) == 120


def test_house_values_are_reported_as_rulings() -> None:
    reported = {ruling.id: ruling for ruling in TITLE.rulings if ruling.house}
    assert {f"card.{row.id}" for row in ROWS if row.house} <= set(reported)
    assert all(row.house for row in ROWS), "no card is known from a rulebook in all its values"
    assert "gold" in reported["card.boat"].text and "card.tyet_amulet" in reported


def test_published_cards_say_what_they_are() -> None:
    bastet = CARDS[card_of("statue_bastet")]
    assert TITLE.texts["es"][f"card.{bastet.kind}"] == "Estatua de Bastet"
    assert bastet.facts["set"] == "statues" and bastet.facts["cost"] == 4
    assert schemas(TITLE)["ruleset"] == TITLE.id


# --- replacements that do not fit -------------------------------------------------------------------------------------
def test_values_out_of_bounds_are_named_where_they_stand() -> None:
    assert broken(lambda f: card(f, "boat").update(gold=-1))[0][0] == f"{where('boat')}/gold"
    assert broken(lambda f: card(f, "boat").update(gold=0)) == [
        (where('boat'), "every card is worth at least 1 gold")
    ]
    assert broken(lambda f: card(f, "boat").update(level=1))[0][0] == where("boat")
    assert broken(lambda f: card(f, "boat").update(colour="red"))[0][0] == where("boat")
    assert broken(lambda f: card(f, "boat").update(house=["smell"]))[0][0] == f"{where('boat')}/house/0"


def test_steps_are_checked_down_to_the_field() -> None:
    def steps(*rows: Facts) -> list[tuple[str, str]]:
        return broken(lambda f: card(f, "statue_horus").update(steps=list(rows)))

    at = f"{where('statue_horus')}/steps"
    assert steps({"do": "dance"})[0][0].startswith(at)
    assert steps({"do": "draw", "n": "many"})[0][0] == f"{at}/0/n"
    assert steps({"do": "entomb", "from": ["moon"]})[0][0] == f"{at}/0/from/0"
    assert steps({"do": "repeat", "never": ["unicorn"]}) == [(at, "there is no card unicorn")]
    assert steps({"do": "repay"}) == [(at, "no opponent was chosen before")]
    assert steps({"do": "put", "from": ["hand"], "to": "their_deck"}) == [(at, "no opponent was chosen before")]
    assert steps({"do": "put_under"}) == [(at, "no card was looked at or revealed before")]
    assert steps({"do": "take", "from": ["seen"]}) == [(at, "no card was looked at or revealed before")]
    assert steps({"do": "sacrifice", "from": ["hand"], "to": "hand"}) == [(at, "a card cannot go to hand so")]
    assert steps({"do": "take", "from": ["pyramid"], "to": "boneyard"}) == [(at, "a card cannot go to boneyard so")]
    assert steps({"do": "cover", "from": ["hand"]}) == [(at, "only pyramid cards are turned face down")]
    assert steps() == [(at, "a card has either steps or a reaction")]


def test_a_card_that_reacts_has_no_steps() -> None:
    found = broken(lambda f: card(f, "boat").update(steps=[{"do": "draw", "n": 1}]))
    assert found == [(f"{where('boat')}/steps", "a card has either steps or a reaction")]


def test_sets_are_checked() -> None:
    assert any("stands here 2 times" in why for _, why in broken(lambda f: card(f, "urn").update(id="shabti")))
    assert any("has no set books" in why for _, why in broken(lambda f: card(f, "dagger").update(set="books")))
    assert any("belong to a set" in why for _, why in broken(lambda f: card(f, "boat").update(set="books")))
    assert any("points of their own" in why for _, why in broken(lambda f: card(f, "dagger").update(points=2)))


def test_the_rulebooks_count_what_is_there() -> None:
    for edition in EDITIONS:
        rows = [row for row in ROWS if row.edition == edition and row.type in ("set", "unique")]
        assert tuple(sum(row.copies for row in rows if row.level == level) for level in (2, 3)) == FACTS.stock[edition]
        assert sorted(row.size for row in FACTS.sets if row.edition == edition) == [*SIZES]
    assert all(row.size == sum(card.set == row.id for card in ROWS) for row in FACTS.sets)


# --- plans ------------------------------------------------------------------------------------------------------------
def test_ways_are_jumps_in_one_line() -> None:
    plan = PLANS[[row.id for row in ROWS].index("menial")]
    assert [(part.then, part.ways) for part in plan.parts] == [(4, (1, 2)), (4, ()), (3, ()), (4, ())]


def test_ways_within_ways() -> None:
    draw = {"do": "draw", "n": 1}
    inner = {"do": "maybe", "steps": [draw, draw]}
    steps = decoder.decode(json.dumps([{"do": "either", "ways": [[inner, draw], [draw]]}, draw]))
    assert [(part.then, part.ways) for part in plan_of(steps).parts] == [
        (6, (1, 5)), (4, (2, 4)), (3, ()), (4, ()), (6, ()), (6, ()), (7, ()),
    ]  # fmt: skip
