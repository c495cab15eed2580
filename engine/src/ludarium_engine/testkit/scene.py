"""Set up and play a position of any title, for scenario tests.

Zones and cards are given by name, and commands as the text of an offer:

    game = Scene(TITLE, 2).lay(hand0="card_1 card_2", hand1="card_3").asks("turn", 0)
    assert game.offers(0) == ["play card_1", "play card_2"] and game.asked == [0]
    assert game.do(0, "play card_2").zone("played0") == ["card_2"]
    assert game.heard(SPECTATOR) == ["0 plays The 2"]

The text of an offer is the verb followed by its arguments. Cards are named by their kind, spaces of a board by their id, and
other arguments by number. A title may subclass `Scene` to make its tests easier to read. Every command is run by `decide`.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Self

from msgspec.structs import asdict

from ludarium_engine.kernel import (
    SPECTATOR,
    Action,
    Chance,
    Event,
    Frame,
    Illegal,
    Offer,
    Title,
    decide,
    legal_offers,
    redact_event,
    seats_to_act,
)
from ludarium_engine.kernel.bodies import Message, Piece
from ludarium_engine.kernel.choices import CARD
from ludarium_engine.kernel.describe import describe_choice, describe_view
from ludarium_engine.kernel.facts import Revealed, Said, Told
from ludarium_engine.kernel.scripts import Sealed
from ludarium_engine.kernel.slots import S
from ludarium_engine.story.lines import lines
from ludarium_engine.story.words import Words
from ludarium_engine.testkit.invariants import check_invariants

CHANCE = Chance(bytes(32))
NAMES = "Ada", "Bea", "Cleo", "Dora", "Ewa", "Fay"


class Scene(Generic[S]):
    """A position under test, which begins as the state before the set-up."""

    def __init__(self, title: Title[S, Any], seats: int, options: Any = None, chance: Chance = CHANCE) -> None:
        self.title, self.chance = title, chance
        self.s: S = title.blank(title.options() if options is None else options, seats)
        self.laid: set[int] = set()
        self.events: list[Event] = []

    # --- arranging the position ---------------------------------------------------------------------------------------
    def lay(self, **zones: str) -> Self:
        """Move cards to zones.

        Each value lists kinds of cards, with the top card last. For example, `hand1="urn kite"` puts two cards into entry 1 of
        the zone `hand`.
        """
        for words, kinds in zones.items():
            self.lying(words).extend([self.taken_out(kind) for kind in kinds.split()])
        return self

    def taken_out(self, kind: str) -> int:
        """Remove a card of this kind from its pile, skipping cards that were laid before."""
        card = next(card.id for card in self.title.cards if card.kind == kind and card.id not in self.laid)
        next(pile for pile in self.piles() if card in pile).remove(card)
        self.laid.add(card)
        return card

    def asks(self, script: str, seat: int, row: int | str = 0, *picks: int) -> Self:
        """Make a row of a script the only prompt on the agenda.

        Args:
            script: the name of the script.
            seat: the seat that the prompt is for. A sealed row asks all seats that its own rule selects instead.
            row: the name of the row, or its index in the script.
            picks: the values of the script's picks.
        """
        if isinstance(row, str):
            row = [each.__name__ if callable(each) else each.name for each in self.title.scripts[script].rows].index(row)
        waiting = Frame(script, seat, row, (seat,), picks)
        asking = self.title.scripts[script].rows[row]
        asked = asking.asked(self.s, waiting) if isinstance(asking, Sealed) else [seat]
        self.s.agenda = [waiting.at_row(row, tuple(asked))]
        return self

    # --- commands -----------------------------------------------------------------------------------------------------
    def do(self, seat: int, words: str, *pieces: str) -> Self:
        """Choose the offer with this text, with the named pieces as the subset."""
        offer = self.offer(seat, words)
        return self.answer(seat, Action(offer.verb, (*offer.args, *self.among(offer.pool, pieces))))

    def answer(self, seat: int, action: Action) -> Self:
        self.s, event = decide(self.title, self.s, seat, action, self.chance)
        check_invariants(self.title, self.s)
        self.events.append(event)
        return self

    def then(self, *steps: tuple[int, str]) -> Self:
        for seat, words in steps:
            self.do(seat, words)
        return self

    def go(self, seat: int, *steps: str) -> Self:
        """Let one seat choose several offers in turn."""
        return self.then(*((seat, words) for words in steps))

    def forced(self, seat: int = 0) -> Self:
        """Assert that the last event logs that the seat had only one legal answer."""
        assert Said("forced", (seat,)) in self.event.facts, self.event.facts
        return self

    # --- offers -------------------------------------------------------------------------------------------------------
    @property
    def asked(self) -> list[int]:
        return sorted(seats_to_act(self.s))

    def legal(self, seat: int, verb: str | None = None) -> list[Offer]:
        return [offer for offer in legal_offers(self.title, self.s, seat) if verb in (None, offer.verb)]

    def offer(self, seat: int, words: str) -> Offer:
        """Return the offer with this text.

        Raises:
            Illegal: no offer has this text.
        """
        found = [offer for offer in self.legal(seat) if self.said(offer) == words]
        if not found:
            raise Illegal(f"{words!r} is not among {self.offers(seat)}")
        return found[0]

    def offers(self, seat: int) -> list[str]:
        return [self.said(offer) for offer in self.legal(seat)]

    def may(self, seat: int, words: str) -> bool:
        return words in self.offers(seat)

    def verbs(self, seat: int) -> set[str]:
        return {offer.verb for offer in self.legal(seat)}

    def choices(self, seat: int, verb: str) -> set[str]:
        """Return the arguments of the offers with this verb, as text."""
        return {self.said(offer).removeprefix(verb).strip() for offer in self.legal(seat, verb)}

    # --- zones --------------------------------------------------------------------------------------------------------
    def lying(self, words: str) -> list[int]:
        """Return the pile of a zone ("deck") or of an entry of a zone ("hand1")."""
        found = re.fullmatch(r"(\w+?)(\d*)", words)
        assert found, words
        zone: Any = getattr(self.s, found[1])
        pile: list[int] = zone[int(found[2])] if found[2] else zone
        return pile

    def piles(self) -> Iterator[list[int]]:
        for field in self.title.layout.fields:
            if field.holds_cards:
                zone = getattr(self.s, field.name)
                yield from [zone] if field.kind == "pile" else zone

    def zone(self, words: str) -> list[str]:
        return self.names(self.lying(words))

    # --- events and sentences -----------------------------------------------------------------------------------------
    @property
    def event(self) -> Event:
        return self.events[-1]

    def told(self, what: str) -> list[tuple[int, ...]]:
        """Return the arguments of each `Said` or `Told` fact with this name.

        Arguments that are lists of cards are left out.
        """
        facts = [fact for event in self.events for fact in event.facts]
        told = [fact.args for fact in facts if isinstance(fact, Said | Told) and fact.what == what]
        return [tuple([arg for arg in args if isinstance(arg, int)]) for args in told]

    def shown(self, audience: int) -> list[str]:
        """Return the names of the cards that the last event revealed to an audience."""
        facts = redact_event(self.title.layout, self.event, audience).facts
        return self.names([card for fact in facts if isinstance(fact, Revealed) for card in fact.cards])

    def heard(self, audience: int) -> list[str]:
        """Return the last event's English sentences for an audience.

        In the sentences, each player's name is the seat number.
        """
        return self.story(audience, self.events[-1:])

    def story(self, audience: int, events: Sequence[Event] = ()) -> list[str]:
        """Return an audience's English sentences for these events (by default all)."""
        words = Words(self.title, "en", [str(seat) for seat in range(self.s.seats)])
        seen = [redact_event(self.title.layout, event, audience) for event in events or self.events]
        told = [line for event in seen for line in lines(self.title, event)]
        return [words.message(line.message) for line in told if not line.turn]

    def heard_by_all(self) -> list[str]:
        """Return the last event's sentences, which must be the same for all audiences."""
        first, *rest = (self.heard(audience) for audience in (*range(self.s.seats), SPECTATOR))
        assert all(one == first for one in rest)
        return first

    # --- texts --------------------------------------------------------------------------------------------------------
    def prompt(self, seat: int) -> str:
        """Return the seat's prompt in English, with the player names Ada, Bea, Cleo, ..."""
        choice = describe_choice(self.title, self.s, seat)
        assert choice
        return self.read(choice.prompt)

    def labels(self, seat: int, *verbs: str) -> list[str]:
        """Return the English labels of the seat's offers with these verbs."""
        choice = describe_choice(self.title, self.s, seat)
        return [self.read(offer.label) for offer in choice.offers if offer.verb in verbs] if choice else []

    def focus(self, audience: int = SPECTATOR) -> list[str]:
        """Return the highlighted pieces, followed by each side as "seat: number cards"."""
        focus = describe_view(self.title, self.s, audience).focus
        if focus is None:
            return []
        sides = [" ".join([f"{side.seat}: {side.number}", *self.names(side.cards)]) for side in focus.sides]
        return [*map(self.piece, focus.pieces), *sides]

    def piece(self, piece: Piece) -> str:
        return self.word(piece.zone or piece.kind, piece.value) if isinstance(piece.value, int) else str(piece.value)

    def read(self, message: Message) -> str:
        spaces = next((board.spaces for board in self.title.boards if board.seats == self.s.seats), [])
        return Words(self.title, "en", NAMES[: self.s.seats], spaces).message(message)

    def said(self, offer: Offer) -> str:
        kinds = self.title.verbs[offer.verb].args
        return " ".join([offer.verb, *(self.word(kind, arg) for kind, arg in zip(kinds, offer.args, strict=True))])

    def word(self, kind: str, value: int) -> str:
        """Return an argument as a space's id, a card's kind, or a number."""
        for board in self.title.boards:
            if (kind, self.s.seats) == (board.zone, board.seats) and board.options.items() <= asdict(self.s.options).items():
                return board.spaces[value].id
        return self.title.cards[value].kind if kind == CARD else str(value)

    def names(self, cards: Iterable[int]) -> list[str]:
        return [self.word(CARD, card) for card in cards]

    def among(self, cards: Iterable[int], names: Sequence[str]) -> tuple[int, ...]:
        """Return different cards with these names, in the order of the names."""
        left, found = [*cards], []
        for name in names:
            found.append(next(card for card in left if self.word(CARD, card) == name))
            left.remove(found[-1])
        return tuple(found)
