"""The kinds of steps of which the actions of cards consist.

Each entry of `steps` in the data file is one of these. A step says what can be chosen (`choices`) and what the acting seat
would know afterwards (`after`); both are based on an `Outlook`. The same methods serve to make offers and to look ahead.
`actions` has the effects of the steps.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from .cards import COST, HIDDEN, KIND, SET, TYPE
from .outlook import Outlook

Choice = tuple[int, ...]
NO_CHOICE: Choice = ()
Zone = Literal[
    "hand", "discard", "discard_top", "discard_top_two", "tomb", "pyramid", "base", "middle", "apex", "boneyard_top",
    "stock_top", "seen",
]  # fmt: skip
FIXED = {"discard_top", "boneyard_top", "stock_top", "apex"}         # zones with at most one card, which need no question
PUBLIC = FIXED | {"pyramid", "base", "middle", "tomb"}               # zones whose cards all players know
Target = Literal["discard", "hand", "deck", "tomb", "boneyard", "their_deck", "their_tomb", "their_discard", "pyramid"]


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A maximum cost, computed from one of three numbers of the position."""

    of: Literal["chosen", "bought", "tomb"]                # cost of the chosen, of the dearest bought card; size of the tomb
    times: int = 1
    plus: int = 0

    def value(self, w: Outlook, chosen: int) -> int:
        known = {"chosen": COST[chosen], "bought": w.bought, "tomb": len(w.tomb)}
        return known[self.of] * self.times + self.plus


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Base class of all steps.

    A step needs no choice unless its class is in ASKING. It may be impossible unless its class is in CERTAIN.
    """

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,)

    def possible(self, w: Outlook, chosen: int) -> bool:
        """Return whether there is any choice, faster than `choices` could."""
        return bool(self.choices(w, chosen))

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w

    def asks(self, w: Outlook, chosen: int) -> bool:
        """Return whether, by public knowledge, there may be something to choose."""
        return True


class Choose(Step, frozen=True):
    """Move one card from one of several zones to another zone."""

    sources: list[Zone] = msgspec.field(name="from")
    to: Target = "discard"
    max_cost: int | Cost | None = None
    type: Literal["set", "starter"] | None = None
    set: Literal["chosen", "tomb"] | None = None  # the chosen card's set, or any set of the tomb
    new: bool = False                                     # no card of its kind in the tomb
    lowest: bool = False                                  # no other choice costs less
    may: bool = False

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        cards = w.pool(self.sources)
        if self.max_cost is not None:
            most = self.max_cost if isinstance(self.max_cost, int) else self.max_cost.value(w, chosen)
            cards = [c for c in cards if c == HIDDEN or COST[c] <= most]
        if self.type is not None or self.set is not None or self.new:
            cards = [c for c in cards if c == HIDDEN or self.fits(w, c, chosen)]
        if self.lowest and cards:
            least = min(COST[c] for c in cards)
            cards = [c for c in cards if COST[c] == least]
        return [(c,) for c in cards]

    def fits(self, w: Outlook, card: int, chosen: int) -> bool:
        if self.type is not None and TYPE[card] != self.type:
            return False
        if self.new and KIND[card] in {KIND[c] for c in w.tomb}:
            return False
        if self.set == "chosen":
            return SET[card] == SET[chosen] != 0
        return self.set is None or (SET[card] != 0 and SET[card] in {SET[c] for c in w.tomb})

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield from w.moved(choice[0], self.sources, self.to)

    def asks(self, w: Outlook, chosen: int) -> bool:
        """Return whether, by public knowledge, there may be something to choose.

        If the cards are hidden from other seats, the seat is asked even if no card qualifies. Skipping the question would
        disclose that.
        """
        private = [z for z in self.sources if z not in PUBLIC]
        return bool(w.pool(private)) if private else bool(self.choices(w, chosen))


class Sacrifice(Choose, frozen=True, tag="sacrifice"):
    to: Target = "boneyard"


class Entomb(Choose, frozen=True, tag="entomb"):
    to: Target = "tomb"


class Discard(Choose, frozen=True, tag="discard"):
    """Discard a card to the seat's own discard pile."""


class Take(Choose, frozen=True, tag="take"):
    """Take a card without buying it, by default to the seat's own discard pile."""


class Put(Choose, frozen=True, tag="put"):
    """Move a card, by default into the seat's hand."""

    to: Target = "hand"


class Cover(Choose, frozen=True, tag="cover"):
    """Turn a pyramid card face down; it cannot be bought until the next own turn."""

    to: Target = "pyramid"

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return [(c,) for c in w.pool(self.sources) if c not in w.covered]

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w


class Give(Choose, frozen=True, tag="give"):
    """Move a card to an opponent; later steps refer to the opponent's seat."""

    to: Target = "their_discard"
    needs_hand: bool = False                              # only to opponents with cards in hand

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        seats = w.holding if self.needs_hand else w.opponents
        return [(*card, seat) for card in Choose.choices(self, w, chosen) for seat in seats]


class Exchange(Step, frozen=True, tag="exchange"):
    """Exchange cards of two zones; pyramid cards change places without a crumble."""

    a: Literal["hand", "discard", "pyramid"] = msgspec.field(name="from")
    b: Literal["tomb", "discard", "boneyard_top", "pyramid"] = msgspec.field(name="with")

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        ones, others = w.zone(self.a), w.zone(self.b)
        if self.a == self.b:
            return [(one, other) for i, one in enumerate(ones) for other in ones[i + 1 :]]
        return [(one, other) for one in ones for other in others]

    def possible(self, w: Outlook, chosen: int) -> bool:
        ones = w.zone(self.a)
        return len(ones) > 1 if self.a == self.b else bool(ones and w.zone(self.b))

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.exchanged(choice[0], choice[1], self.a, self.b)

    def asks(self, w: Outlook, chosen: int) -> bool:
        return self.possible(w, chosen)


class Either(Step, frozen=True, tag="either"):
    """Carry out exactly one of several sequences of steps."""

    ways: list[list[AnyStep]]


class Maybe(Step, frozen=True, tag="maybe"):
    """Carry out all of these steps, or none."""

    steps: list[AnyStep]


class Draw(Step, frozen=True, tag="draw"):
    """Draw n cards from the seat's own deck, or all that are left."""

    n: int

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.drawing(self.n, "hand")


class Modify(Step, frozen=True, tag="modify"):
    """Change a number that lasts for the turn or until the next purchase.

    The number is increased by `by`, or raised to `to`.
    """

    what: Literal["gold_set", "gold_add", "gold_starter", "gold_once", "discount", "reach", "to_deck", "bonus"]
    by: int = 0
    to: int | None = None


class Force(Step, frozen=True, tag="force"):
    """Make other seats do something, one after the other, as far as they can.

    Seats with at most `exempt_at` cards in hand, deck and discard pile are exempt. With `richer`, only seats with more cards
    in their tomb than the acting seat are concerned; with `hand_below`, only seats with fewer cards in hand. `option` names a
    table option under which the step is played differently.
    """

    who: Literal["each_opponent", "each_player", "chosen_opponent"]
    what: Literal["discard", "sacrifice", "sacrifice_discard_top", "draw", "put"]
    n: int
    exempt_at: int = 0
    richer: bool = False
    hand_below: int = 0
    option: Literal["bastet", "inner_sarcophagus"] | None = None

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,) if self.who != "chosen_opponent" else [(seat,) for seat in w.opponents]


class RequireDiscard(Step, frozen=True, tag="require_discard"):
    """Require a number of cards in the seat's own discard pile."""

    least: int

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,) if len(w.discard) >= self.least else ()


class Reveal(Step, frozen=True, tag="reveal"):
    """Reveal the top n cards of the seat's deck to all; n cards are required."""

    n: int

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,) if w.deck + len(w.discard) >= self.n else ()

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.drawing(self.n, "seen")


class Look(Step, frozen=True, tag="look"):
    """Let only the acting seat look at the top n cards, or fewer, but at least one."""

    source: Literal["stock", "deck"] = msgspec.field(name="from")
    n: int

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        there = w.stock if self.source == "stock" else w.deck + len(w.discard)
        return (NO_CHOICE,) if there else ()

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.drawing(self.n, "seen") if self.source == "deck" else w.looking(self.n)


class Aftermath(Step, frozen=True):
    """Base class of steps for the seen cards that were not chosen."""


class DiscardRest(Aftermath, frozen=True, tag="discard_rest"):
    """Discard the remaining seen cards to the seat's own discard pile."""


class PutUnder(Aftermath, frozen=True, tag="put_under"):
    """Put the remaining seen cards under the stock."""


class PutBack(Aftermath, frozen=True, tag="put_back"):
    """Put the remaining seen cards onto the stock in any order, the last one on top."""

    def asks(self, w: Outlook, chosen: int) -> bool:
        return bool(w.seen)


class TopOrBottom(PutBack, frozen=True, tag="top_or_bottom"):
    """Put the one seen card onto the stock or under it."""

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return [(c,) for c in w.seen]


class Reshuffle(Step, frozen=True, tag="reshuffle"):
    """Shuffle the discard pile into the deck."""

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.reshuffled()


class Redraw(Step, frozen=True, tag="redraw"):
    """Discard from 1 to `most` cards from hand, then draw as many."""

    most: int

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return [(c,) for c in w.hand]

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        for less in w.moved(choice[0], ["hand"], "discard"):
            yield less.drawing(1, "hand")

    def asks(self, w: Outlook, chosen: int) -> bool:
        return bool(w.hand)


class DrawIfNew(Step, frozen=True, tag="draw_if_new"):
    """Draw a card if the entombed card is a set card and new to the tomb."""


class Seats(Step, frozen=True):
    """Base class of steps that choose an opponent who has a discard pile."""

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return [(seat,) for seat in w.with_discard]

    def asks(self, w: Outlook, chosen: int) -> bool:
        return bool(w.with_discard)


class Rob(Seats, frozen=True, tag="rob"):
    """Take the top card of the opponent's discard pile into the hand."""

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.gaining(w.top_of(choice[0]))


class LeaveCenser(Seats, frozen=True, tag="leave_censer"):
    """Exchange the played card for the top card of the opponent's discard pile."""


class Repay(Step, frozen=True, tag="repay"):
    """Let the chosen opponent put a hand card on the acting seat's discard pile."""


class OpenBook(Step, frozen=True, tag="open_book"):
    """Reveal the deck's top card, execute its action if possible, and discard it."""

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,) if w.deck + len(w.discard) else ()


class Again(Step, frozen=True):
    """Run the action of another card of the seat's choice, except kinds in `never`."""

    never: list[str]


class Repeat(Again, frozen=True, tag="repeat"):
    """Run an action again that was executed this turn, with new choices."""


class Borrow(Again, frozen=True, tag="borrow"):
    """Run the action of a card at the base of the pyramid, which stays there."""


AnyStep = (
    Sacrifice | Entomb | Discard | Take | Put | Cover | Give | Exchange | Either | Maybe | Draw | Modify | Force
    | RequireDiscard | Reveal | Look | DiscardRest | PutUnder | PutBack | TopOrBottom | Reshuffle | Redraw | DrawIfNew
    | Rob | LeaveCenser | Repay | OpenBook | Repeat | Borrow
)
CERTAIN = (Maybe, Draw, Modify, Force, Aftermath, Reshuffle, DrawIfNew, Repay)
ASKING = (Either, Maybe, Give, Exchange, PutBack, Redraw, Seats, Again)


def is_certain(step: Step) -> bool:
    """Return whether a step is possible in every position of the game."""
    return isinstance(step, CERTAIN) or (isinstance(step, Choose) and step.may)


def is_open(step: Step) -> bool:
    """Return whether all players can tell which choices a step has."""
    if isinstance(step, Choose):
        return PUBLIC.issuperset(step.sources)
    if isinstance(step, Exchange):
        return PUBLIC.issuperset((step.a, step.b))
    return not isinstance(step, PutBack | Redraw | Again)


def asks_somebody(step: Step) -> bool:
    """Return whether a step needs a choice, unlike one with at most one card."""
    if isinstance(step, Choose) and not isinstance(step, Give):
        return step.may or not FIXED.issuperset(step.sources)
    return isinstance(step, ASKING) or (isinstance(step, Force) and step.who == "chosen_opponent")
