"""Data files that replace ours: what can be read is played, and what cannot be played is told."""
from __future__ import annotations

import json
import pickle
import re
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from importlib import import_module
from random import Random
from typing import Any, get_type_hints

import pytest

from engine import Unfit, install, made_from, provide, provided, title_of, titles
from engine.bots import bots
from engine.kernel import Title, clone, new
from engine.proof.fuzz import cases, chance_of
from engine.proof.messages import missing_texts
from engine.proof.trial import trial
from services.tools.simulate import play as simulated

AnyTitle = Title[Any, Any]
every_title = pytest.mark.parametrize("title", titles().values(), ids=titles())
DAMAGES = 25
ODD: list[Any] = [None, -1, 0, 7, 10_000, 1.5, True, "", "nowhere", [], {}, [[]], {"en": 3}]
Change = Callable[[dict[str, Any]], object]


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


def changed(title: AnyTitle, change: Change) -> bytes:
    facts = json.loads(title.data)
    change(facts)
    return json.dumps(facts).encode()


def found(ruleset: str, change: Change) -> dict[str, str]:
    """What is wrong with a file that was changed so, by its place."""
    flaws = trial(ruleset, changed(titles()[ruleset], change))
    return {flaw.pointer: flaw.detail for flaw in flaws if not flaw.remark}


@every_title
def test_what_ships_has_no_flaw(title: AnyTitle) -> None:
    assert [flaw for flaw in trial(title.id, title.data) if not flaw.remark] == []


@every_title
@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"null", b'{"name": 3}', b"[" * 100_000, b"\xff"])
def test_junk_is_one_flaw(title: AnyTitle, junk: bytes) -> None:
    assert len(trial(title.id, junk)) == 1
    with pytest.raises(Unfit, match=re.escape(trial(title.id, junk)[0].detail)):
        provide(title.id, junk)


@every_title
def test_whatever_is_changed_the_title_can_be_made_or_it_is_said_why(title: AnyTitle) -> None:
    luck, made = Random(title.id), 0
    for _ in range(DAMAGES):
        data = damaged(title.data, luck)
        try:
            made += bool(cases(made_from(title.id, data)))
        except Unfit as error:
            assert error.flaws[0].detail
    assert 0 < made < DAMAGES


@pytest.mark.parametrize("ruleset, change", [
    ("game-of-kingdoms", lambda f: (f.update(hand=5, seats=[2, 4]), f["ranks"].pop(), f["colours"].reverse())),
    ("valeria", lambda f: (f["areas"].reverse(), f["monsters"].reverse(), f["dukes"].pop(), f["citizens"][0].update(copies=7))),
    ("kemet", lambda f: (f["tiles"].reverse(), f["boxes"].reverse(), f["di_cards"][0].update(copies=9))),
    ("valley-of-the-kings", lambda f: (f["sets"].reverse(), f["cards"][3].update(gold=9, copies=2), f.update(hand=4))),
], ids=["game-of-kingdoms", "valeria", "kemet", "valley-of-the-kings"])  # fmt: skip
def test_counts_numbers_names_and_orders_are_free(ruleset: str, change: Change, seed: int) -> None:
    assert found(ruleset, change) == {}
    made = made_from(ruleset, changed(titles()[ruleset], change))
    table = Random(seed).choice(cases(made))
    assert simulated(made, table.options, [bots(made)["simple"]] * table.seats, seed).outcome
    assert not missing_texts(made, "es")


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


@every_title
def test_what_a_title_with_other_data_makes_can_be_copied_pickled_and_looked_up(title: AnyTitle) -> None:
    other = provide(title.id, renamed(title, "Another"))
    case = cases(other)[0]
    s, _ = new(other, case.options, case.seats, chance_of(1))
    for copied in (deepcopy(s), pickle.loads(pickle.dumps(s)), clone(s)):
        assert type(copied) is other.state and copied == s
    assert get_type_hints(other.state).keys() == get_type_hints(title.state).keys()
    assert [*sys.modules].count(title.package) == 1 and other.package.startswith(f"{title.package}@")


# --- what is told of files that do not fit ------------------------------------------------------------------------------
@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f.update(hand=9), "", "seats, seed 0, event 0: "),
    (lambda f: f.update(seats=[5, 3]), "", "no variant can be played"),
    (lambda f: f["colours"][1].update(id="red"), "/colours/1/id", "red stands here 2 times"),
    (lambda f: f["ranks"][3]["name"].pop("en"), "/ranks/3/name", "no English name"),
    (lambda f: f["rulings"][0].update(option="chess"), "/rulings/0/option", "no option chess"),
    (lambda f: f.update(name={}), "", "no English text name"),
])  # fmt: skip
def test_game_of_kingdoms(change: Change, pointer: str, said: str) -> None:
    assert said in found("game-of-kingdoms", change)[pointer]


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f["citizens"][0].update(gold=-1), "/citizens/0/gold", ">= 0"),
    (lambda f: f["citizens"][0].update(id="clerk"), "/citizens", "is missing"),
    (lambda f: f["citizens"][0].update(role="king"), "/citizens/0/role", "matching regex"),
    (lambda f: f["citizens"][0]["off_turn"].update(take={"gold": 1}), "/citizens/0", "own turn"),
    (lambda f: f["citizens"][0]["on_turn"]["gain"].update(vp=1), "/citizens/0", "neither points"),
    (lambda f: f["stacks"].pop(), "/stacks", "length >= 10"),
    (lambda f: f["start"].update(strength=1), "/start", "unknown field"),
    (lambda f: f["monsters"][0].update(area="sea"), "", "sea"),
    (lambda f: f["monsters"][0].update(reward={"each": {"gold": 1}}), "/monsters/0/reward", "what `each` counts"),
    (lambda f: f["monsters"][0]["reward"].update(pay={"gold": 1}, take={"gold": 1}), "/monsters/0/reward", "only one of"),
    (lambda f: f["monsters"][0]["reward"].update(choose=[{"gain": {"gold": 1, "magic": 1}}]), "/monsters/0/reward", "one cho"),
    (lambda f: f["domains"][0].update(start={"pay": {"gold": 1}}), "/domains/0", "tokens and nothing else"),
    (lambda f: f["domains"].pop(), "/domains", "is missing"),
    (lambda f: f["setups"][0].update(citizens=["king"]), "", "no area, citizen or domain king"),
])  # fmt: skip
def test_valeria(change: Change, pointer: str, said: str) -> None:
    assert said in found("valeria", change)[pointer]


@pytest.mark.parametrize("change, pointer, said", [
    (lambda f: f["constants"].pop("night_pp"), "/constants", "night_pp"),
    (lambda f: f["constants"].update(troop_limit=4), "", "seats, seed 0, event "),
    (lambda f: f["tiles"][0].update(id="w1_prophet"), "/tiles", "w1_priest is missing"),
    (lambda f: f["tiles"][0]["params"].update(luck=1), "/tiles/0/params", "unknown field `luck`"),
    (lambda f: f["tiles"][1]["params"].update(tile_cost_delta=1), "/tiles/1/params/tile_cost_delta", "<= 0"),
    (lambda f: f["creatures"].pop(0), "/creatures", "royal_scarab is missing"),
    (lambda f: f["tiles"][21]["params"].update(creature="cat"), "/tiles/21/params", "no creature or special battle card cat"),
    (lambda f: f["di_cards"][0].update(when="night"), "/di_cards/0/when", "night"),
    (lambda f: f["boards"]["3"].update(seats=2), "/boards/3/seats", "not the one for 3"),
])  # fmt: skip
def test_kemet(change: Change, pointer: str, said: str) -> None:
    assert said in found("kemet", change)[pointer]
