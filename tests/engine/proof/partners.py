"""A small game with zones that only some seats see.

Each team has a plan and a fund, and only spies see the vault. In a turn, a seat puts a card into its team's plan, takes one
from it, shows the plan's top card, puts a card into the vault, becomes or stops being a spy, joins the other team, or
chooses or rolls its team's fund in secret.
"""
from __future__ import annotations

from typing import Annotated, Any, Literal

from ludarium_engine.kernel import Frame, Offer, State, Title, each
from ludarium_engine.kernel.choices import CARD, SEAT, Options, Verb
from ludarium_engine.kernel.facts import EVERYBODY
from ludarium_engine.kernel.scripts import Ask, Script, by_name
from ludarium_engine.kernel.slots import Hidden, Owner, Pile, Piles, Public, Values, empty_piles, seen_by, slots_of
from ludarium_engine.kernel.table import Table, standings
from ludarium_engine.kernel.title import Card

TURNS, DECK, FUNDS = 20, range(14), range(10)


class PartnersOptions(Options, frozen=True):
    partners: Literal["opposite", "beside"] = "opposite"


class Partners(State, array_like=True):
    options: PartnersOptions
    team: Public[list[int]] = []                # by seat
    hand: Owner[Piles] = []
    plan: Annotated[Piles, seen_by("team")] = []
    fund: Annotated[list[int], Values(0, 9), seen_by("team")] = []
    spies: Public[list[bool]] = []              # by seat
    vault: Annotated[Pile, seen_by("spies")] = []
    deck: Hidden[Pile] = []
    table: Public[Pile] = []
    turns: Public[int] = 0


at = slots_of(Partners)
T = Table[Partners]
GIVE, TAKE, LAY = Verb("give", CARD), Verb("take", CARD), Verb("lay", CARD)
SHOW, SPY, DEFECT, ROLL = Verb("show"), Verb("spy"), Verb("defect"), Verb("roll")
SAVE = Verb("save", range(10), secret=True)


def blank(options: PartnersOptions, seats: int) -> Partners:
    team = [seat % 2 if options.partners == "opposite" else int(seat >= seats // 2) for seat in range(seats)]
    return Partners(
        seats, options, team=team, hand=empty_piles(seats), plan=empty_piles(2), fund=[0, 0], spies=[False] * seats,
        deck=[*DECK],
    )  # fmt: skip


def turns(s: Partners, f: Frame, seat: int) -> list[Offer]:
    plan = s.plan[s.team[seat]]
    show = [SHOW()] if plan else []
    of_hand = [*each(GIVE, s.hand[seat]), *each(LAY, s.hand[seat])]
    return [*of_hand, *each(TAKE, plan), *show, SPY(), DEFECT(), ROLL(), *each(SAVE, FUNDS)]


def give(t: T, f: Frame, seat: int, card: int) -> None:
    t.move(card, at.hand[seat], at.plan[t.s.team[seat]])


def take(t: T, f: Frame, seat: int, card: int) -> None:
    t.move(card, at.plan[t.s.team[seat]], at.hand[seat])


def lay(t: T, f: Frame, seat: int, card: int) -> None:
    t.move(card, at.hand[seat], at.vault)
    t.draw(1, at.deck, at.hand[seat])


def show(t: T, f: Frame, seat: int) -> None:
    plan = at.plan[t.s.team[seat]]
    t.reveal(t.s.plan[t.s.team[seat]][-1], plan, to=EVERYBODY)
    t.draw(1, plan, at.table)


def spy(t: T, f: Frame, seat: int) -> None:
    t.set(at.spies[seat], not t.s.spies[seat])


def defect(t: T, f: Frame, seat: int) -> None:
    t.set(at.team[seat], 1 - t.s.team[seat])


def roll(t: T, f: Frame, seat: int) -> None:
    t.roll(at.fund[t.s.team[seat]], FUNDS)


def save(t: T, f: Frame, seat: int, value: int) -> None:
    t.set(at.fund[t.s.team[seat]], value)


def next_turn(t: T, f: Frame) -> None:
    t.add(at.turns, 1)
    if t.s.turns == TURNS:
        t.end(standings([t.s.team.count(team) for team in t.s.team]))
    else:
        t.pass_turn((f.seat + 1) % t.s.seats)
        t.ask(turn, t.s.turn)


HANDLERS: dict[Verb, Any] = {
    GIVE: give, TAKE: take, LAY: lay, SHOW: show, SPY: spy, DEFECT: defect, ROLL: roll, SAVE: save,
}  # fmt: skip
turn = Script("turn", Ask("take_turn", turns, HANDLERS), next_turn)


def setup(t: T) -> None:
    t.shuffle(at.deck)
    for seat in range(t.s.seats):
        t.draw(2, at.deck, at.hand[seat])
    for team in range(2):
        t.draw(1, at.deck, at.plan[team])
    t.ask(turn, 0)


def partners(**words: Any) -> Title[Partners, PartnersOptions]:
    about: dict[str, Any] = {
        "id": "partners", "name": {"en": "Partners"}, "revision": 1, "seats": range(2, 5), "state": Partners, "blank": blank,
        "setup": setup, "standing": lambda s: [1] * s.seats, "scripts": by_name(turn), "verbs": by_name(*HANDLERS),
        "data": b"{}", "cards": [Card(card, str(card), {}) for card in DECK], "rulings": (), "texts": {"en": {}},
        "variants": ({}, {"partners": "beside"}), "numbers": {"team": SEAT}, "most_events": 200,
    }  # fmt: skip
    return Title(**{**about, **words})
