"""Descriptions of data for clients."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from ludarium_engine.kernel import SPECTATOR, Action, Event, Frame, Illegal, Offer, checked_options, new_game, redact_event
from ludarium_engine.kernel.bodies import Focus, FrameBody, Message, Piece, Subset
from ludarium_engine.kernel.choices import CARD, NUMBER, SEAT, Phrase
from ludarium_engine.kernel.describe import describe_choice, describe_facts, describe_offer, describe_view
from ludarium_engine.kernel.facts import (
    EVERYBODY,
    Admitted,
    Agenda,
    AnyFact,
    Became,
    Counted,
    Ended,
    Moved,
    Preferred,
    Revealed,
    Rolled,
    Shuffled,
    Told,
    TurnPassed,
    Uncovered,
    Unsealed,
)
from ludarium_engine.kernel.folder import texts_of, translations
from ludarium_engine.kernel.published import schemas
from ludarium_engine.kernel.scripts import Ask, Pick, Script
from ludarium_engine.kernel.title import COMPARED, Predicate
from ludarium_engine.testkit.messages import missing_texts
from tests.engine.kernel.tiny import CHANCE, T, Tiny, TinyOptions, at, blank, deal, offering, tiny

a: Any = at


def take_a_card(t: T, f: Frame, seat: int, action: Action) -> None:
    t.move(action.args[0], at.deck, at.hand[seat])


MAIN = Script("main", Ask("take_a_card", offering("play:3"), take_a_card), picks=(Pick("a"), Pick("b", shown=True)))
PREDICATES = {
    "holds": Predicate(lambda s, seat, rank: False, (SEAT, "rank.")),
    "measured": Predicate(lambda s, seat, than: 0, (SEAT, NUMBER), COMPARED),
}
TITLE = tiny(MAIN, predicates=PREDICATES)


def zone(name: str, index: int | None = None) -> dict[str, Any]:
    return {"zone": name} if index is None else {"zone": name, "index": index}


def said(message: str, **params: int | str) -> dict[str, Any]:
    return {"id": message, "params": [{"kind": kind, "value": value} for kind, value in params.items()]}


@pytest.mark.parametrize(("fact", "body"), [
    (Moved((3, -1), a.deck, a.hand[1]), {"type": "moved", "cards": (3, -1), "src": zone("deck"), "dst": zone("hand", 1)}),
    (Uncovered(3, a.shown), {"type": "uncovered", "card": 3, "slot": zone("shown")}),
    (Counted(a.coins[2], -2), {"type": "counted", "slot": zone("coins", 2), "by": -2}),
    (Became(a.ready, True), {"type": "became", "slot": zone("ready"), "value": True}),
    (Became(a.grid[1], (5, 6)), {"type": "became", "slot": zone("grid", 1), "value": (5, 6)}),
    (Rolled(a.die, 2, (1, 2)), {"type": "rolled", "slot": zone("die"), "value": 2, "among": (1, 2)}),
    (Shuffled(a.deck, ()), {"type": "shuffled", "slot": zone("deck")}),
    (Revealed((3,), a.hand[0], EVERYBODY), {"type": "revealed", "cards": (3,), "slot": zone("hand", 0), "to": None}),
    (Revealed((3,), a.hand[0], (1,)), {"type": "revealed", "cards": (3,), "slot": zone("hand", 0), "to": (1,)}),
    (Told("paid", (2, 7), EVERYBODY), {"type": "told", "message": said("told.paid", seat=2, number=7), "to": None}),
    (Told("paid", (2, 7), (1,)), {"type": "told", "message": said("told.paid", seat=2, number=7), "to": (1,)}),
    (Admitted("holds", (2, 4), 0, EVERYBODY),
     {"type": "admitted", "message": said("admit.holds.no", seat=2, text="rank.4"), "answer": 0, "to": None}),
    (Admitted("measured", (2, 4), -1, (1, 2)),
     {"type": "admitted", "message": said("admit.measured.less", seat=2, number=4), "answer": -1, "to": (1, 2)}),
    (Unsealed((0, 1)), {"type": "unsealed", "seats": (0, 1)}),
    (TurnPassed(1), {"type": "turn_passed", "seat": 1}),
    (Ended((1, 2)), {"type": "ended", "outcome": (1, 2)}),
    (Preferred(0, "main", True), {"type": "preferred", "window": "main", "on": True}),
], ids=lambda value: type(value).__name__)  # fmt: skip
def test_a_fact_in_words(fact: AnyFact, body: dict[str, Any]) -> None:
    assert msgspec.to_builtins(describe_facts(TITLE, Event(0, Action("x"), [fact]))) == [body]


def test_who_is_asked_next_stands_in_views_not_in_facts() -> None:
    assert describe_facts(TITLE, Event(0, Action("x"), [Agenda(0, ())])) == []


def test_a_focus_is_made_of_what_its_viewer_sees() -> None:
    """This holds even if the title's focus function reads hidden zones."""
    title = replace(TITLE, focus=lambda s: Focus([Piece("card", s.hand[0][0]), Piece("card", s.deck[-1])]))
    s = blank(TinyOptions(), 2)
    s.hand, s.deck, s.agenda = [[3, 4], [5]], [6], [Frame("main", 0, 0, (0,), (1, 2))]
    seen = {audience: describe_view(title, s, audience).focus for audience in (0, 1, SPECTATOR)}
    assert seen[0] == Focus([Piece("card", 3), Piece("card", -1)])
    assert seen[1] == seen[SPECTATOR] == Focus([Piece("card", -1)] * 2)


def test_a_view_in_words() -> None:
    s = blank(TinyOptions(), 2)
    s.hand, s.deck, s.turn = [[3, 4], [5]], [6], 1
    s.agenda = [Frame("main", 1, 0, (), (7, 8)), Frame("main", 0, 0, (0, 1), (1, 2))]
    s.always_passes = [(0, "main"), (1, "main")]
    body = describe_view(TITLE, s, 0)
    assert body.zones["hand"] == [[3, 4], [-1]] and body.zones["deck"] == [-1]
    assert [*body.zones] == [f.name for f in TITLE.layout.fields]
    assert (body.turn, body.outcome, body.asked, body.always_passes) == (1, None, [0, 1], ["main"])
    assert body.agenda == [FrameBody("main", 1, [], {"b": 8}), FrameBody("main", 0, [0, 1], {"b": 2})]
    assert describe_view(TITLE, s, SPECTATOR).always_passes == []


def test_a_choice_in_words() -> None:
    s = blank(TinyOptions(), 2)
    s.agenda = [Frame("main", 1, 0, (1,), (1, 2))]
    choice = describe_choice(TITLE, s, 1)
    assert choice is not None and choice.prompt == Message("prompt.take_a_card")
    assert [offer.id for offer in choice.offers] == ["play:3"]
    assert describe_choice(TITLE, s, 0) is None


def test_a_choice_says_why_and_at_what_price() -> None:
    """Prompts, labels and their parameters depend on the situation."""
    def why(s: Tiny, f: Frame, seat: int) -> Phrase:
        return Phrase("prompt.take_a_card.again", (f.seat, f.picks[0])) if s.turn else Phrase("prompt.take_a_card")

    def price(s: Tiny, f: Frame, seat: int, card: int) -> Phrase:
        return Phrase("verb.play", (card, s.coins[seat]))

    phrases = {"prompt.take_a_card": (), "prompt.take_a_card.again": (SEAT, CARD), "verb.play": (CARD, NUMBER)}
    title = replace(TITLE, phrases=phrases, prompts={"take_a_card": why}, labels={"play": price})
    s = blank(TinyOptions(), 2)
    s.agenda, s.coins, s.turn = [Frame("main", 1, 0, (1,), (4, 2))], [0, 5], 1
    choice = describe_choice(title, s, 1)
    assert choice is not None and choice.prompt == Message("prompt.take_a_card.again", [Piece("seat", 1), Piece("card", 4)])
    assert choice.offers[0].label == Message("verb.play", [Piece("card", 3), Piece("number", 5)])
    s.turn = 0
    choice = describe_choice(title, s, 1)
    assert choice is not None and choice.prompt == Message("prompt.take_a_card")
    assert {"prompt.take_a_card.again", "verb.play"} <= missing_texts(title, "en")


@pytest.mark.parametrize(("offer", "label", "touches"), [
    (Offer("play", (3,)), Piece("card", 3), [Piece("card", 3)]),
    (Offer("hit", (1,)), Piece("seat", 1), [Piece("seat", 1)]),
    (Offer("pay", (4,)), Piece("number", 4), []),
    (Offer("grab", (4,)), Piece("text", "rank.4"), []),
    (Offer("put", (1,)), Piece("card", 8), [Piece("slot", 1, "table")]),
    (Offer("mark", (1,)), Piece("slot", 1, "coins"), [Piece("slot", 1, "coins")]),
])  # fmt: skip
def test_an_offer_says_what_it_touches(offer: Offer, label: Piece, touches: list[Piece]) -> None:
    s = blank(TinyOptions(), 2)
    s.table = [7, 8]
    body = describe_offer(TITLE, s, 0, offer)
    assert body.label == Message("verb." + offer.verb, [label]) and body.touches == touches and body.subset is None


def test_a_subset_in_words() -> None:
    s = blank(TinyOptions(), 2)
    assert describe_offer(TITLE, s, 0, Offer("choose", (), (3, 4), (2, 5), 1)).subset == Subset("card", [3, 4], [2, 5], 1, 7)
    assert describe_offer(TITLE, s, 0, Offer("choose", (), (3, 4), (), 0, 1)).subset == Subset("card", [3, 4], [], 0, 1)
    assert describe_offer(TITLE, s, 0, Offer("pass", (), (3, 4))).subset == Subset("number", [3, 4], [], 0, 2)


# --- titles -------------------------------------------------------------------------------------------------------------
def test_a_version_changes_with_the_code_or_the_data() -> None:
    versions = {tiny().version, tiny(revision=4).version, tiny(data=b"{ }").version}
    assert len(versions) == 3 and tiny().version == tiny().version and tiny().version.startswith("3.")


@pytest.mark.parametrize(("raw", "seats"), [
    ({"hand": 9}, 2), ({"hand": "2"}, 2), ({"hands": 2}, 2), ({}, 1), ({}, 5),
])  # fmt: skip
def test_options_that_do_not_fit(raw: dict[str, Any], seats: int) -> None:
    with pytest.raises(Illegal):
        checked_options(TITLE, raw, seats)


def test_a_title_refuses_options_of_its_own() -> None:
    def never(options: TinyOptions, seats: int) -> None:
        raise Illegal("never")

    with pytest.raises(Illegal, match="never"):
        checked_options(tiny(check_options=never), {}, 2)


def deal_and_ask(t: T) -> None:
    deal(t)
    t.ask(MAIN, 0, a=1, b=2)


def test_the_setup_event_says_what_was_dealt() -> None:
    title = tiny(MAIN, setup=deal_and_ask)
    s, event = new_game(title, TinyOptions(hand=3), 2, CHANCE)
    assert (event.seat, event.action) == (SPECTATOR, Action("new")) and [len(hand) for hand in s.hand] == [3, 3]
    assert redact_event(TITLE.layout, event, SPECTATOR).facts[0] == Shuffled(a.deck, ())


def test_missing_texts_are_named() -> None:
    wanted = {"prompt.take_a_card", "verb.play", "told.paid", "zone.deck", "option.hand", "about"}
    assert wanted <= missing_texts(TITLE, "en")
    assert {message for message in missing_texts(TITLE, "en") if message.startswith("admit.")} == {
        "admit.holds.no", "admit.holds.yes", "admit.measured.same", "admit.measured.more", "admit.measured.less",
    }  # fmt: skip
    texts = {"en": dict.fromkeys(missing_texts(TITLE, "en"), "x")}
    assert not missing_texts(tiny(MAIN, texts=texts, predicates=PREDICATES), "en")


def test_texts_are_read_by_locale() -> None:
    printed = {"verb.take": {"en": "Give up"}, "card.ace": {"en": "Ace"}}
    package = "ludarium_engine.titles.game_of_kingdoms"
    texts = texts_of(package, printed, lambda found: {"card.ace.text": f"{found['card.ace']}!"})
    assert texts["en"].items() >= {"verb.take": "Give up", "card.ace": "Ace", "verb.done": "Done"}.items()
    assert translations(texts, "card.ace.text") == dict.fromkeys(("en", "es", "hu"), "Ace!")


def test_schemas_say_what_the_zones_hold() -> None:
    found = schemas(TITLE)
    zones = found["$defs"]["ViewBody"]["properties"]["zones"]
    assert zones["properties"]["ready"]["type"] == "boolean" and zones["required"] == list(zones["properties"])
    assert found["layout"][1].items() >= {"zone": "deck", "sight": "hidden", "kind": "pile"}.items()
    assert found["scripts"] == {"main": ["a", "b"]} and found["verbs"]["choose"] == {"args": [], "ranges": [], "subset": "card"}
    ranges = {name: found["verbs"][name]["ranges"] for name in ("play", "hit", "pay", "keep", "mark")}
    assert ranges == {"play": [[0, 9]], "hit": [[0, 3]], "pay": [None], "keep": [[3, 7]], "mark": [None]}
    assert msgspec.json.decode(msgspec.json.encode(found)) == found
