"""Data files that replace ours: whatever `check_data` lets pass can be loaded and played."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest

from engine import imported_with, install, provide, provided, title_of, titles
from engine.kernel import Illegal, Title, act, legal, new, seats_to_act
from engine.proof.fuzz import chance_of

AnyTitle = Title[Any, Any]
every_title = pytest.mark.parametrize("title", titles().values(), ids=titles())
DAMAGES = 80
ODD: list[Any] = [None, -1, 0, 7, 10_000, 1.5, True, "", "nowhere", [], {}, [[]], {"en": 3}]
EVENTS = 12


def renamed(title: AnyTitle, name: str) -> bytes:
    return json.dumps({**json.loads(title.data), "name": {"en": name}}).encode()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys or indices."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def damaged(data: bytes, luck: Random) -> bytes:
    facts = json.loads(data)
    container, key = luck.choice([*places(facts)])
    match luck.randrange(3):
        case 0:
            del container[key]
        case 1 if isinstance(container, list):
            container.append(container[key])
        case _:
            container[key] = luck.choice(ODD)
    return json.dumps(facts).encode()


def play_a_little(title: AnyTitle, luck: Random) -> None:
    """Every variant at each number of seats that it allows, some events far."""
    for variant in title.variants:
        for seats in (title.seats.start, title.seats.stop - 1):
            begin(title, {**variant}, seats, luck)


def begin(title: AnyTitle, variant: dict[str, Any], seats: int, luck: Random) -> None:
    options = title.options(**variant)
    try:
        title.check(options, seats)
    except Illegal:
        return                                  # not for so many
    chance = chance_of(luck.randrange(1000))
    s, _ = new(title, options, seats, chance)
    for _ in range(EVENTS):
        seat = luck.choice(seats_to_act(s))
        act(title, s, seat, luck.choice([*luck.choice(legal(title, s, seat)).actions()]), chance)
        title.invariants(s)


@every_title
def test_what_ships_has_no_flaw(title: AnyTitle) -> None:
    assert [flaw for flaw in title.check_data(title.data) if not flaw.remark] == []


@every_title
@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"null", b'{"name": 3}', b"[" * 100_000, b"\xff"])
def test_junk_is_one_flaw(title: AnyTitle, junk: bytes) -> None:
    assert len(title.check_data(junk)) == 1


@every_title
def test_whatever_passes_can_be_played(title: AnyTitle) -> None:
    luck, passed = Random(title.id), 0
    for _ in range(DAMAGES):
        data = damaged(title.data, luck)
        if all(flaw.remark for flaw in title.check_data(data)):
            passed += 1
            play_a_little(imported_with(title.package, data), luck)
    assert 0 < passed < DAMAGES


# --- one process, several files -----------------------------------------------------------------------------------------
@every_title
def test_a_title_with_other_data_stands_beside_the_first(title: AnyTitle) -> None:
    other = provide(title.id, renamed(title, "Another"))
    assert titles()[title.id] is title and title_of(title.id, title.data_hash) is title
    assert title_of(title.id, other.data_hash) is other and provided(title.id, other.data_hash)
    assert (other.name["en"], other.revision) == ("Another", title.revision) and other.version != title.version
    assert import_module(title.package).TITLE is title
    assert other.layout.fields == title.layout.fields and other.state is not title.state


@every_title
def test_new_games_start_with_what_is_installed(title: AnyTitle) -> None:
    try:
        install(title.id, renamed(title, "Installed"))
        assert titles()[title.id].name["en"] == "Installed"
        assert title_of(title.id, title.data_hash) is title
    finally:
        install(title.id, title.data)
    assert titles()[title.id] is title


def test_data_that_nobody_has_provided_are_those_of_new_games() -> None:
    title = titles()["kemet"]
    assert title_of(title.id, bytes(32)) is title and not provided(title.id, bytes(32))


# --- what is told of files that do not fit ------------------------------------------------------------------------------
Change = Callable[[dict[str, Any]], object]


def flaws(ruleset: str, change: Change) -> dict[str, str]:
    title = titles()[ruleset]
    facts = json.loads(title.data)
    change(facts)
    return {flaw.pointer: flaw.detail for flaw in title.check_data(json.dumps(facts).encode()) if not flaw.remark}


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f.update(hand=7), "/hand", "leave no card to turn up"),
    (lambda f: f.update(seats=[5, 3]), "/seats", "5 is more than 3"),
    (lambda f: f["ranks"].pop(), "/ranks", "9 ranks, not 10"),
    (lambda f: f["colours"].pop(), "/colours", "3 colours, not 4"),
    (lambda f: f["colours"][1].update(id="red"), "/colours/1/id", "red stands here 2 times"),
    (lambda f: f["ranks"][3]["name"].pop("es"), "/ranks/3/name", "no name in es"),
    (lambda f: f["rulings"][0].update(option="chess"), "/rulings/0/option", "no option chess"),
    (lambda f: f.update(name={}), "/name", "no English name"),
])  # fmt: skip
def test_game_of_kingdoms(change: Change, pointer: str, said: str) -> None:
    assert said in flaws("game-of-kingdoms", change)[pointer]


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f["citizens"][0].update(gold=-1), "/citizens/0/gold", ">= 0"),
    (lambda f: f["citizens"][0].update(id="clerk"), "/citizens/0/id", "the rules know no clerk"),
    (lambda f: f["citizens"][0].update(copies=5), "/citizens/0/copies", "5, not 6"),
    (lambda f: f["citizens"][0].update(role="king"), "/citizens/0/role", "is none of"),
    (lambda f: f["citizens"][0]["off_turn"].update(take={"gold": 1}), "/citizens/0/off_turn/take", "own turn"),
    (lambda f: f["citizens"][0]["on_turn"]["gain"].update(vp=1), "/citizens/0/on_turn", "no points"),
    (lambda f: f["citizens"][0].update(on_turn={"citizen": {}}), "/citizens/0/on_turn", "brings tokens"),
    (lambda f: f["starters"][0].update(copies=4), "/starters/0/copies", "not one for each of 5"),
    (lambda f: f["starters"][0].update(role="holy"), "/starters/0/role", "none"),
    (lambda f: f["slots"].pop(), "/slots", "exactly one"),
    (lambda f: f["slots"][0].append("knight"), "/slots", "exactly one"),
    (lambda f: f.update(seats=[4, 2]), "/seats", "4 is more than 2"),
    (lambda f: f["start"].update(strength=1), "/start", "how much gold and magic"),
    (lambda f: f["monsters"][0].update(area="sea"), "/monsters/0/area", "no area sea"),
    (lambda f: f["monsters"][0].update(copies=4), "/monsters", "hills has 7 cards"),
    (lambda f: f["monsters"][0].update(strength=9), "/monsters", "weakest first"),
    (lambda f: f["monsters"][0].update(only_at_five=4), "/monsters/0/only_at_five", "4 of 3 copies"),
    (lambda f: f["monsters"][0]["reward"].update(gain={"wood": 1}), "/monsters/0/reward/gain/wood", "is none of"),
    (lambda f: f["monsters"][0].update(reward={"each": {"gold": 1}}), "/monsters/0/reward/per", "what `each` counts"),
    (lambda f: f["monsters"][0].update(reward={"each": {"gold": 1}, "per": ["area", "sea"]}), "/monsters/0/reward/per",
     "cannot be counted"),
    (lambda f: f["monsters"][0]["reward"].update(pay={"gold": 1}, take={"gold": 1}), "/monsters/0/reward", "only one of"),
    (lambda f: f["monsters"][0].update(reward={"pay": {"gold": 1}, "each": {"gold": 1}, "per": ["domains", ""]}),
     "/monsters/0/reward/each", "fixed number"),
    (lambda f: f["monsters"][0].update(reward={"choose": [{"gain": {"gold": 1, "magic": 1}}]}),
     "/monsters/0/reward/choose/0", "gives one of"),
    (lambda f: f["monsters"][0].update(reward={"choose": [{"choose": []}, {"pay": {"gold": 1}}]}),
     "/monsters/0/reward/choose/1", "gives tokens or a citizen"),
    (lambda f: f["monsters"][0].update(reward={"citizen": {"role": "king"}}), "/monsters/0/reward/citizen/role", "none of"),
    (lambda f: f["monsters"][0].update(reward={"citizen": {"named": "king"}}), "/monsters/0/reward/citizen/named",
     "no citizen is named king"),
    (lambda f: f["domains"][0].update(start={"pay": {"gold": 1}}), "/domains/0/start", "tokens and nothing else"),
    (lambda f: f["domains"][0].update(finish={"gain": {"gold": 1}}), "/domains/0/finish", "takes from an opponent"),
    (lambda f: f["domains"][4].update(built={"citizen": {}}), "/domains/4", "only one of built and finish"),
    (lambda f: f["domains"][0].update(roles={"king": 1}), "/domains/0/roles/king", "is none of"),
    (lambda f: f["domains"].pop(), "/domains", "is missing"),
    (lambda f: f["dukes"].pop(), "/dukes", "9 are not two for each"),
    (lambda f: f["areas"].reverse(), "/areas", "the order is part of the rules"),
    (lambda f: f["dukes"][0].update(vp_per={"king": 1}), "/dukes/0/vp_per/king", "is none of"),
    (lambda f: f["dukes"][1].update(id="cornelius_the_dreamer"), "", "is the id of 2 cards"),
    (lambda f: f["setups"][0]["areas"].pop(), "/setups/0/areas", "names 5 areas"),
    (lambda f: f["setups"][0]["citizens"].pop(), "/setups/0/citizens", "one for each stack"),
    (lambda f: f["setups"][1]["removed"].append("a_castle"), "/setups/1/removed", "names domains"),
])  # fmt: skip
def test_valeria(change: Change, pointer: str, said: str) -> None:
    assert said in flaws("valeria", change)[pointer]


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f["constants"].pop("night_pp"), "/constants", "night_pp is missing"),
    (lambda f: f["constants"].update(dice=2), "/constants/dice", "no such field"),
    (lambda f: f["constants"].update(night_pp=100), "/constants/night_pp", "not between 0 and 99"),
    (lambda f: f["constants"].update(night_pp=0), "/constants/night_pp", "at least 1"),
    (lambda f: f["constants"].update(start_reserve=3), "/constants/units_per_player", "in reserve"),
    (lambda f: f["constants"].update(troop_limit=4), "/constants/start_units", "do not fit"),
    (lambda f: f["constants"].update(start_pp=12), "/constants/start_pp", "more than 11"),
    (lambda f: f["constants"].update(pyramid_max_level=5), "/constants/pyramid_max_level", "from 1 to 4"),
    (lambda f: f["constants"].update(action_tokens=2), "/constants/action_tokens", "3 to 9"),
    (lambda f: f["boxes"].pop(), "/boxes", "part of the rules"),
    (lambda f: f["tiles"][0].update(id="w1_prophet"), "/tiles/0/id", "the rules know no w1_prophet"),
    (lambda f: f["tiles"].reverse(), "/tiles", "the order is part of the rules"),
    (lambda f: f["tiles"].pop(), "/tiles", "is missing"),
    (lambda f: f["tiles"][0].update(level=2), "/tiles", "4 of each colour and level"),
    (lambda f: f["tiles"][0].update(level="one"), "/tiles/0/level", "is a text, not a whole number"),
    (lambda f: f["tiles"][0]["params"].update(luck=1), "/tiles/0/params/luck", "no such field"),
    (lambda f: f["tiles"][1]["params"].update(tile_cost_delta=1), "/tiles/1/params/tile_cost_delta", "between -9 and 0"),
    (lambda f: f["tiles"][0]["name"].pop("en"), "/tiles/0/name", "an English one"),
    (lambda f: f["tiles"][0].update(copies=0), "/tiles/0/copies", "at least one"),
    (lambda f: f["di_cards"][0].update(when="night"), "/di_cards/0/when", "the rules know it as battle"),
    (lambda f: f["di_cards"][7]["params"].update(opponents_pp=-2), "/di_cards/7/params/opponents_pp", "between -1 and 0"),
    (lambda f: f["boards"]["3"].update(seats=2), "/boards/3/seats", "not the one for 3"),
])  # fmt: skip
def test_kemet(change: Change, pointer: str, said: str) -> None:
    assert said in flaws("kemet", change)[pointer]
