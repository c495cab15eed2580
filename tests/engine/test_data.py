"""Valid replacement data files are playable, and faults in them are reported."""
from __future__ import annotations

import json
import pickle
import re
import sys
from collections.abc import Iterator
from copy import deepcopy
from importlib import import_module
from random import Random
from typing import Any, get_type_hints

import pytest

from ludarium_engine.data_errors import data_problems
from ludarium_engine.kernel import Title, clone, new_game
from ludarium_engine.registry import Unfit, install, made_from, provide, provided, title_of, titles
from ludarium_engine.testkit.fuzz import cases, chance_of
from ludarium_engine.testkit.messages import missing_texts
from ludarium_engine.testkit.trial import GAMES, trial

AnyTitle = Title[Any, Any]
every_title = pytest.mark.parametrize("title", titles().values(), ids=titles())
DAMAGES = 25
ODD: list[Any] = [None, -1, 0, 7, 10_000, 1.5, True, "", "nowhere", [], {}, [[]], {"en": 3}]


def renamed(title: AnyTitle, name: str) -> bytes:
    return json.dumps({**json.loads(title.data), "name": {"en": name}}).encode()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every container with each of its keys or indices."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def damaged(data: bytes, rng: Random) -> bytes:
    facts = json.loads(data)
    container, key = rng.choice([*places(facts)])
    match rng.randrange(3):
        case 0:
            del container[key]
        case 1 if isinstance(container, list):
            container.append(container[key])
        case _:
            container[key] = rng.choice(ODD)
    return json.dumps(facts).encode()


@every_title
def test_what_ships_has_no_flaw(title: AnyTitle) -> None:
    """These are the checks of `trial` without games, as test_every_title.py has those."""
    assert [flaw for flaw in data_problems(title, title.data) if not flaw.remark] == []
    assert cases(made_from(title.id, title.data)) and not missing_texts(title, "en")


def test_a_file_is_tried_at_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    title, tried = titles()["kemet"], list[tuple[Any, int]]()
    monkeypatch.setattr("ludarium_engine.testkit.trial.play", lambda case, seed: tried.append((case.raw, case.seats)))
    trial(title.id, title.data)
    assert sorted(tried, key=str) == sorted([(case.raw, case.seats) for case in cases(title) for _ in range(GAMES)], key=str)


@every_title
@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b"null", b'{"name": 3}', b"[" * 100_000, b"\xff"])
def test_junk_is_one_flaw(title: AnyTitle, junk: bytes) -> None:
    assert len(trial(title.id, junk)) == 1
    with pytest.raises(Unfit, match=re.escape(trial(title.id, junk)[0].detail)):
        provide(title.id, junk)


@every_title
def test_whatever_is_changed_the_title_can_be_made_or_it_is_said_why(title: AnyTitle) -> None:
    rng, made = Random(title.id), 0
    for _ in range(DAMAGES):
        data = damaged(title.data, rng)
        try:
            made += bool(cases(made_from(title.id, data)))
        except Unfit as error:
            assert error.problems[0].detail
    assert 0 < made < DAMAGES


# --- several files in one process ---------------------------------------------------------------------------------------
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
    s, _ = new_game(other, case.options, case.seats, chance_of(1))
    for copied in (deepcopy(s), pickle.loads(pickle.dumps(s)), clone(s)):
        assert type(copied) is other.state and copied == s
    assert get_type_hints(other.state).keys() == get_type_hints(title.state).keys()
    assert [*sys.modules].count(title.package) == 1 and other.package.startswith(f"{title.package}@")
