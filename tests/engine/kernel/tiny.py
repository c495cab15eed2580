"""The smallest title with a slot of every visibility, whose scripts tests provide."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from ludarium_engine.kernel import Action, Chance, Event, Frame, Offer, State, Title, decide, legal_offers, seats_to_act
from ludarium_engine.kernel.choices import CARD, CARDS, NUMBER, SEAT, Options, Verb
from ludarium_engine.kernel.facts import EVERYBODY, Told
from ludarium_engine.kernel.scripts import Ask, Script, by_name, turn_order_from
from ludarium_engine.kernel.slots import Covered, Hidden, Owner, OwnerTop, Pile, Piles, Public, empty_piles, slots_of
from ludarium_engine.kernel.table import Table
from ludarium_engine.kernel.title import Card

CHANCE = Chance(bytes(range(32)))
DECK = range(10)


class TinyOptions(Options, frozen=True):
    hand: Annotated[int, Meta(ge=0, le=5)] = 2


class Tiny(State, array_like=True):
    options: TinyOptions
    hand: Owner[Piles] = []
    deck: Hidden[Pile] = []
    discard: OwnerTop[Piles] = []
    shown: OwnerTop[Pile] = []
    table: Public[Pile] = []
    gone: Covered[Pile] = []
    coins: Public[list[int]] = []
    purse: Owner[list[int]] = []
    die: Public[int] = 0
    fate: Hidden[int] = 0
    ready: Public[bool] = False
    done: Public[list[bool]] = []
    grid: Public[list[list[int]]] = []


at = slots_of(Tiny)
T = Table[Tiny]


def blank(options: TinyOptions, seats: int) -> Tiny:
    return Tiny(
        seats, options, hand=empty_piles(seats), deck=[*DECK], discard=empty_piles(seats), coins=[0] * seats, purse=[0] * seats,
        done=[False] * seats, grid=[[0, 0], [0, 0]],
    )  # fmt: skip


def deal(t: T) -> None:
    t.shuffle(at.deck)
    for seat in range(t.s.seats):
        t.draw(t.s.options.hand, at.deck, at.hand[seat])


def tiny(*scripts: Script, **words: Any) -> Title[Tiny, TinyOptions]:
    verbs = by_name(
        Verb("play", CARD), Verb("hit", SEAT), Verb("pay", NUMBER), Verb("pass"), Verb("go"), Verb("keep", range(3, 8)),
        Verb("put", "table"), Verb("grab", "rank."), Verb("choose", subset=CARD), Verb("mark", "coins"),
    )  # fmt: skip
    texts = {"en": {f"rank.{rank}": str(rank) for rank in range(5)}}
    about: dict[str, Any] = {
        "id": "tiny", "name": {"en": "Tiny"}, "revision": 3, "seats": range(2, 5), "state": Tiny,
        "blank": blank, "setup": deal, "standing": lambda s: [1] * s.seats, "scripts": by_name(*scripts), "verbs": verbs,
        "disclosures": {"paid": (SEAT, NUMBER), "said": (NUMBER, NUMBER)},
        "sentences": {
            "moves": (SEAT, CARDS), "names": (SEAT, CARD), "swaps": (CARDS, CARDS), "ranks": ("rank.",), "forced": (SEAT,),
        },
        "data": b"{}", "cards": [Card(card, str(card), {}) for card in DECK], "rulings": (), "texts": texts,
    }  # fmt: skip
    return Title(**{**about, **words})


def finish(t: T, f: Frame) -> None:
    t.end([1] * t.s.seats)


class Play:
    """A game in which the script `main` begins for seat 0, with these picks.

    The game ends when the script ends.
    """

    def __init__(self, main: Script, *others: Script, picks: Sequence[int] = (), seats: int = 3, **state: Any) -> None:
        def start(t: T, f: Frame, seat: int, action: Action) -> None:
            t.ask(main, 0, **dict(zip(main.pick_names, picks, strict=True)))

        self.title = tiny(Script("start", Ask("start", offering("go"), start), finish), main, *others)
        self.s = replace(blank(TinyOptions(), seats), agenda=[Frame("start", 0, 0, (0,))], **state)
        self.events: list[Event] = []
        self.do(0, "go")

    def do(self, seat: int, verb: str, *args: int) -> Event:
        self.s, event = decide(self.title, self.s, seat, Action(verb, args), CHANCE)
        self.events.append(event)
        return event

    def can(self, seat: int) -> list[str]:
        return [offer.id for offer in legal_offers(self.title, self.s, seat)]

    @property
    def asked(self) -> list[int]:
        return [*seats_to_act(self.s)]


def offering(*ids: str) -> Callable[[Tiny, Frame, int], list[Offer]]:
    """Return a function that makes fixed offers, such as "pass" and "play:3"."""
    offers = [Offer(verb, tuple(map(int, args))) for verb, *args in (text.split(":") for text in ids)]
    return lambda s, f, seat: list(offers)


def others(s: Tiny, f: Frame) -> list[int]:
    return turn_order_from(s, f.seat)[1:]


def everybody(s: Tiny, f: Frame) -> list[int]:
    return [*range(s.seats)]


def unsealed(t: T, f: Frame, answers: dict[int, Action]) -> None:
    for seat, action in answers.items():
        t.disclose("paid", seat, sum(action.args), to=EVERYBODY)


def log(*words: int) -> Callable[[T, Frame], None]:
    """Return a row that discloses these numbers to all."""
    return lambda t, f: t.disclose("said", *words, to=EVERYBODY)


def told(event: Event) -> list[tuple[int, ...]]:
    return [fact.args for fact in event.facts if isinstance(fact, Told)]


def table(s: Tiny | None = None) -> T:
    """Return a table for tests of verbs."""
    return Table(tiny(), s or blank(TinyOptions(), 3), CHANCE)
