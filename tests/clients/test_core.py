"""The core of the client does no I/O, so these tests choose every message."""

import inspect
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ludarium_client import AsyncClient, Client, Reset, Unreachable, view_of
from ludarium_client.bodies import (
    ActedEvent,
    ActionBody,
    NewAnalysis,
    NewBranch,
    NewTable,
    Root,
    SeatedEvent,
    Sit,
    TableEvent,
    Unknown,
)
from ludarium_client.calls import Caller
from ludarium_client.decoding import decode
from ludarium_client.effects import Answer, Ask, Dial, HangUp, Hear, Send, Steps, Wait
from ludarium_client.follower import Follower
from ludarium_client.newsreader import Newsreader
from ludarium_client.operations import Operations
from ludarium_client.patience import LONGEST, SHORTEST, Patience
from ludarium_client.problems import Garbled

PROJECT = Path(__file__).parents[2]
ROOT = Answer(
    200, {}, b'{"version": "1", "origin": "", "ws_url": "ws://there", "docs": "", "openapi": "", "asyncapi": "", '
             b'"features": [], '
             b'"pages": [], "rulesets": {}}'
)
SUBSCRIBED = b'{"id": 2, "ok": true, "sub": "T:spectator", "seq": -1, "as": "spectator"}'


def head_at(seq: int) -> str:
    return f"{seq:016x}"


def seated(seq: int) -> bytes:
    data = {"seat": 0, "player": "P", "bot": None, "way": "open", "at": "2026-01-01T00:00:00.000Z"}
    return msgspec.json.encode({"sub": "T:spectator", "seq": seq, "head": head_at(seq), "type": "seated", "data": data})


def follower() -> Follower:
    return Follower(Caller("lud_token", patience=60), "T", -1, None)


def told(steps: Steps[Any], *words: bytes | Exception) -> tuple[list[Any], Any]:
    """Run the steps with these messages, and return the effects and the result.

    Effects of the type Hear are left out.
    """
    saying = iter(words)
    effects: list[Any] = []
    advance: Any = partial(next, steps)
    while True:
        try:
            effect = advance()
        except StopIteration as end:
            return effects, end.value
        word = next(saying) if isinstance(effect, Hear) else {Send: ROOT, Dial: "line"}.get(type(effect))
        if not isinstance(effect, Hear):
            effects.append(effect)
        advance = partial(steps.throw if isinstance(word, Exception) else steps.send, word)


def words_of(dial: Dial) -> list[Any]:
    return [msgspec.json.decode(word) for word in dial.words]


def test_the_first_words_are_hello_and_subscribe() -> None:
    effects, event = told(follower().next(), SUBSCRIBED, seated(0))
    assert isinstance(event, SeatedEvent)
    hello, subscribe = words_of(effects[1])
    assert hello == {"id": 1, "type": "hello", "token": "lud_token", "locale": None}
    assert subscribe == {"id": 2, "type": "subscribe", "table": "T", "after": -1, "head": None, "as": None, "view": "changes"}


ENDED = b'{"type": "ended", "sub": "T:0"}'


@pytest.mark.parametrize("notice", [b'{"type": "lagging"}', ENDED, Unreachable("cut"), Unreachable("busy", code=1013)])
def test_who_lags_or_is_cut_off_comes_again_behind_the_last_event(notice: bytes | Exception) -> None:
    place = follower()
    told(place.next(), SUBSCRIBED, seated(0))
    effects, event = told(place.next(), notice, SUBSCRIBED, seated(1))
    assert [type(effect) for effect in effects] == [HangUp, Wait, Dial]
    assert words_of(effects[2])[1]["after"] == 0
    assert event.seq == 1


def reset(seq: int, head: str) -> bytes:
    view = {
        "table": "T", "seq": seq, "head": head, "viewer": None, "status": "open", "seats": [], "view": None, "choice": None,
        "undo": None, "proposal": None, "paused": False, "clocks": None, "halted": False,
    }  # fmt: skip
    return msgspec.json.encode({"sub": "T:spectator", "type": "reset", "seq": seq, "data": {"view": view}})


def test_who_comes_again_says_what_it_stands_on() -> None:
    place = follower()
    told(place.next(), SUBSCRIBED, seated(0))
    effects, _ = told(place.next(), Unreachable("cut"), SUBSCRIBED, seated(1))
    assert words_of(effects[2])[1]["head"] == head_at(0)


def test_after_a_reset_old_numbers_are_new_events() -> None:
    place = follower()
    for seq in range(3):
        told(place.next(), *([SUBSCRIBED] if seq == 0 else []), seated(seq))
    _, event = told(place.next(), reset(1, "f" * 16))
    assert isinstance(event, Reset) and (place.seen, place.head) == (1, "f" * 16)
    assert view_of(event) == event.data.view
    assert told(place.next(), seated(2))[1].seq == 2


NO_WORDS = [b"<html>", b"[" * 100_000, b'{"type": "x", "was": ' + b"[" * 5000 + b"]" * 5000 + b"}", b"\xff", b"7"]


@pytest.mark.parametrize("words", NO_WORDS)
def test_what_is_no_message_ends_the_conversation(words: bytes) -> None:
    with pytest.raises(Garbled):
        told(follower().next(), SUBSCRIBED, words)


@pytest.mark.parametrize("words", NO_WORDS)
def test_what_is_no_answer_is_not_asked_for_again(words: bytes) -> None:
    steps = Caller(None, patience=60).call(Root, "GET", "")
    next(steps)
    with pytest.raises(Garbled):
        steps.send(Answer(200, {}, words))


@pytest.mark.parametrize(
    "operation",
    [
        lambda do: do.people.guest("Ada"),
        lambda do: do.people.rejoin("code"),
        lambda do: do.create_table(NewTable(ruleset="kemet", seats=2)),
        lambda do: do.sit("T", Sit()),
        lambda do: do.leave("T", 0),
        lambda do: do.start("T"),
        lambda do: do.rematch("T"),
        lambda do: do.branch("T", NewBranch(at=7)),
        lambda do: do.analysis(NewAnalysis(table="T", at=7, moves=[])),
        lambda do: do.undo("T", 7, None, None),
    ],
)
def test_what_changes_something_is_sent_again_with_its_key(operation: Callable[[Operations], Steps[Any]]) -> None:
    steps = operation(Operations("lud_token", patience=60))
    first = next(steps)
    assert isinstance(first, Send) and len(first.headers["idempotency-key"]) == 32
    assert isinstance(steps.throw(Unreachable("lost", sent=True)), Wait)
    assert steps.send(None) == first


def test_a_server_that_goes_away_says_when_to_come_again() -> None:
    effects, _ = told(follower().next(), SUBSCRIBED, b'{"type": "going-away", "retry_after_ms": 2500}', seated(0))
    wait = next(effect for effect in effects if isinstance(effect, Wait))
    assert 2.5 <= wait.seconds <= 2.5 + SHORTEST


def test_a_hole_is_mended_and_a_repetition_passed_over() -> None:
    place = follower()
    told(place.next(), SUBSCRIBED, seated(0))
    effects, event = told(place.next(), seated(0), seated(2), SUBSCRIBED, seated(1))
    assert [type(effect) for effect in effects] == [HangUp, Dial]
    assert event.seq == 1


@pytest.mark.parametrize("code", [1002, 1007, 1008, 1009])
def test_a_client_that_is_at_fault_does_not_come_again(code: int) -> None:
    with pytest.raises(Unreachable):
        told(follower().next(), Unreachable("policy", code=code))


def of_me(type: str, **data: Any) -> bytes:
    return msgspec.json.encode({"sub": "me", "type": type, "data": {"table": "T", "seat": 0} | data})


def test_news_that_come_again_on_a_new_line_are_passed_over() -> None:
    reader, following = Newsreader(Caller("lud_token", patience=60)), b'{"id": 2, "ok": true}'
    effects, news = told(reader.next(), following, of_me("game_started"))
    assert words_of(effects[1])[1] == {"id": 2, "type": "me"} and news.type == "game_started"
    _, news = told(reader.next(), of_me("your_turn", since=4))
    assert (news.type, news.data["since"]) == ("your_turn", 4)
    again = (Unreachable("cut"), following, of_me("game_started"), of_me("your_turn", since=4))
    _, news = told(reader.next(), *again, of_me("your_turn", since=9))
    assert news.data["since"] == 9
    _, news = told(reader.next(), *again[:3], of_me("your_turn", since=9), of_me("cup_begins"))
    assert news.type == "cup_begins"
    assert told(reader.next(), of_me("turns", turns=[1]))[1].data["turns"] == [1]
    assert told(reader.next(), *again[:2], of_me("turns", turns=[1]), of_me("turns", turns=[]))[1].data["turns"] == []
    assert told(reader.next(), of_me("game_ended"))[1].type == "game_ended"
    assert told(reader.next(), of_me("game_started"))[1].type == "game_started"


def test_delays_grow_with_full_jitter_and_come_to_an_end() -> None:
    for _ in range(100):
        patience, bound, waited = Patience(30.0), SHORTEST, 0.0
        while (delay := patience.delay()) is not None:
            assert 0 <= delay <= bound
            bound, waited = min(2 * bound, LONGEST), waited + delay
        assert 30 < waited <= 30 + LONGEST
    assert len({Patience(1).delay() for _ in range(100)}) > 90


@pytest.mark.parametrize(("key", "times"), [(None, 1), ("once", 3)])
def test_only_what_has_a_key_is_sent_again_when_its_answer_is_lost(key: str | None, times: int) -> None:
    steps, sent = Caller(None, patience=60).call(dict, "POST", "/x", {}, key=key), []
    lost = Unreachable("lost", sent=True)
    with pytest.raises((Unreachable, StopIteration)):
        effect = next(steps)
        while True:
            if isinstance(effect, Send):
                sent.append(effect)
                effect = steps.throw(lost) if len(sent) < 3 else steps.send(Answer(200, {}, b"{}"))
            else:
                effect = steps.send(None)
    assert len(sent) == times
    assert len({request.headers.get("idempotency-key") for request in sent}) == 1


def test_what_a_newer_server_has_added_is_passed_over_or_unknown() -> None:
    event = decode(b'{"seq": 7, "type": "earthquake", "data": {"force": 9}}', TableEvent)
    assert isinstance(event, Unknown) and event.seq == 7 and event.was["data"] == {"force": 9}
    acted = decode(
        b'{"seq": 8, "head": "", "type": "acted", "more": 1, "data": {"at": "", "seat": 0, "facts": [{"type": "shaken"}]}}',
        TableEvent,
    )
    assert isinstance(acted, ActedEvent) and isinstance(acted.data.facts[0], Unknown)


def test_both_clients_can_do_the_same() -> None:
    assert described(Client) == described(AsyncClient)


def described(client: type) -> dict[str, tuple[list[str], str | None]]:
    members = {name: member for name, member in vars(client).items() if inspect.isfunction(member) and name[0] != "_"}
    return {name: ([*inspect.signature(member).parameters], member.__doc__) for name, member in members.items()}


def test_the_client_needs_nothing_of_the_server() -> None:
    servers = "{'ludarium', 'ludarium_engine', 'ludarium_eventstore', 'ludarium_pairing'}"
    code = f"import sys, ludarium_client; print({servers} & sys.modules.keys() or 'nothing')"
    environment = os.environ | {"PYTHONPATH": str(PROJECT / "clients/python")}
    assert subprocess.check_output([sys.executable, "-c", code], env=environment, text=True) == "nothing\n"


def test_who_decided_on_a_lost_row_looks_at_the_table_again() -> None:
    do = Operations("lud_token", patience=60)
    steps = do.play(do.follower("T", -1, 0))
    assert asked_for(next(steps)) == "view"
    assert isinstance(steps.send(Answer(200, {}, view_at(7, "a" * 16))), Ask)
    command = steps.send(ActionBody(id="done"))
    assert isinstance(command, Send) and command.content is not None
    assert decode(command.content, dict)["head"] == "a" * 16
    lost = b'{"type": "", "title": "", "status": 409, "code": "lost-row", "seq": 6}'
    assert asked_for(steps.send(Answer(409, {}, lost))) == "view"
    again = steps.send(Answer(200, {}, view_at(6, "b" * 16)))
    assert isinstance(again, Ask) and again.view.head == "b" * 16


def asked_for(effect: Any) -> str:
    assert isinstance(effect, Send)
    return effect.path.rpartition("/")[2].partition("?")[0]


def view_at(seq: int, head: str) -> bytes:
    """Return an encoded view of seat 0, which has to act."""
    game: dict[str, Any] = {"turn": 1, "outcome": None, "asked": [0], "agenda": [], "zones": {}}
    game |= {"always_passes": [], "scores": [], "focus": None}
    view = {
        "table": "T", "seq": seq, "head": head, "viewer": 0, "status": "playing", "seats": [], "undo": None,
        "view": game,
        "choice": {"id": "", "since": 0, "prompt": {"id": "", "params": []}, "offers": [], "groups": [], "passes": []},
        "proposal": None, "paused": False, "clocks": None, "halted": False,
    }  # fmt: skip
    return msgspec.json.encode(view)
