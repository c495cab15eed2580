"""The small vocabulary that card actions are written in: each step of a card's row in the data is one of these.

A step says what may be chosen (`choices`) and what would be known after it (`after`), both in an Outlook: what the
acting seat knows. So the same words decide what is offered and look ahead. What a step does to the table stands in
`actions`.
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
FIXED = {"discard_top", "boneyard_top", "stock_top", "apex"}         # at most one card: no question is asked
PUBLIC = FIXED | {"pyramid", "base", "middle", "tomb"}               # everybody knows which cards qualify
Target = Literal["discard", "hand", "deck", "tomb", "boneyard", "their_deck", "their_tomb", "their_discard", "pyramid"]


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bound that depends on the card chosen before, the dearest card bought this turn, or the size of one's tomb."""

    of: Literal["chosen", "bought", "tomb"]
    times: int = 1
    plus: int = 0

    def value(self, w: Outlook, chosen: int) -> int:
        known = {"chosen": COST[chosen], "bought": w.bought, "tomb": len(w.tomb)}
        return known[self.of] * self.times + self.plus


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Happens by itself unless it is among ASKING, and may be impossible unless it is among CERTAIN."""

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,)

    def possible(self, w: Outlook, chosen: int) -> bool:
        """Whether there is any choice: the same as `choices`, sooner."""
        return bool(self.choices(w, chosen))

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w

    def asks(self, w: Outlook, chosen: int) -> bool:
        """Whether everybody can tell that there may be something to choose."""
        return True


class Choose(Step, frozen=True):
    """One card goes from one of some zones to another zone."""

    sources: list[Zone] = msgspec.field(name="from")
    to: Target = "discard"
    max_cost: int | Cost | None = None
    type: Literal["set", "starter"] | None = None
    set: Literal["chosen", "tomb"] | None = None  # of the set of the card chosen before, or of one in the tomb
    new: bool = False                                     # no copy of it in the tomb
    lowest: bool = False                                  # none of the pyramid costs less
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
        """A choice among cards that others do not see is asked for even if nothing fits: no answer would tell."""
        private = [z for z in self.sources if z not in PUBLIC]
        return bool(w.pool(private)) if private else bool(self.choices(w, chosen))


class Sacrifice(Choose, frozen=True, tag="sacrifice"):
    to: Target = "boneyard"


class Entomb(Choose, frozen=True, tag="entomb"):
    to: Target = "tomb"


class Discard(Choose, frozen=True, tag="discard"):
    """Onto one's own discard pile."""


class Take(Choose, frozen=True, tag="take"):
    """Onto one's own discard pile unless `to` says otherwise; not a purchase."""


class Put(Choose, frozen=True, tag="put"):
    """A plain move."""

    to: Target = "hand"


class Cover(Choose, frozen=True, tag="cover"):
    """A pyramid card is turned face down until one's next turn: nobody buys it, everybody still knows it."""

    to: Target = "pyramid"

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return [(c,) for c in w.pool(self.sources) if c not in w.covered]

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w


class Give(Choose, frozen=True, tag="give"):
    """A card goes to an opponent: the choice is (card, seat), and the seat is what later steps go by."""

    to: Target = "their_discard"
    needs_hand: bool = False                              # only to an opponent who holds cards

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        seats = w.holding if self.needs_hand else w.opponents
        return [(*card, seat) for card in Choose.choices(self, w, chosen) for seat in seats]


class Exchange(Step, frozen=True, tag="exchange"):
    """A card of one zone and one of another change places; of two pyramid cards neither crumbles."""

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
    """Exactly one of these ways."""

    ways: list[list[AnyStep]]


class Maybe(Step, frozen=True, tag="maybe"):
    """All of these steps or none."""

    steps: list[AnyStep]


class Draw(Step, frozen=True, tag="draw"):
    """From one's own deck, as many as there are."""

    n: int

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.drawing(self.n, "hand")


class Modify(Step, frozen=True, tag="modify"):
    """A number that lasts to the end of the turn, or to the next purchase, is raised by `by` or becomes `to`."""

    what: Literal["gold_set", "gold_add", "gold_starter", "gold_once", "discount", "reach", "to_deck", "bonus"]
    by: int = 0
    to: int | None = None


class Force(Step, frozen=True, tag="force"):
    """Others must do something, one after the other, each as far as possible.

    exempt_at: those are exempt whose hand, deck and discard pile hold no more cards. richer: only those with more cards
    in their tomb than the acting seat. hand_below: only those with fewer cards in hand. option: a table option under
    which the step is played otherwise.
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
    """One's own discard pile holds at least so many cards."""

    least: int

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,) if len(w.discard) >= self.least else ()


class Reveal(Step, frozen=True, tag="reveal"):
    """The top n cards of one's own deck are shown to all; there must be n."""

    n: int

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,) if w.deck + len(w.discard) >= self.n else ()

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.drawing(self.n, "seen")


class Look(Step, frozen=True, tag="look"):
    """The acting seat alone looks at the top n cards, or as many as there are, at least one."""

    source: Literal["stock", "deck"] = msgspec.field(name="from")
    n: int

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        there = w.stock if self.source == "stock" else w.deck + len(w.discard)
        return (NO_CHOICE,) if there else ()

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.drawing(self.n, "seen") if self.source == "deck" else w.looking(self.n)


class Aftermath(Step, frozen=True):
    """What becomes of the seen cards that were not chosen."""


class DiscardRest(Aftermath, frozen=True, tag="discard_rest"):
    """Onto one's own discard pile."""


class PutUnder(Aftermath, frozen=True, tag="put_under"):
    """Under the stock."""


class PutBack(Aftermath, frozen=True, tag="put_back"):
    """Onto the stock in any order, the last one on top."""

    def asks(self, w: Outlook, chosen: int) -> bool:
        return bool(w.seen)


class TopOrBottom(PutBack, frozen=True, tag="top_or_bottom"):
    """The one seen card goes onto the stock or under it."""

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return [(c,) for c in w.seen]


class Reshuffle(Step, frozen=True, tag="reshuffle"):
    """The discard pile is shuffled into the deck."""

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
    """Draw a card if the card entombed before is a set card, and the first of its kind in the tomb."""


class Seats(Step, frozen=True):
    """The choice is an opponent whose discard pile is not empty."""

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return [(seat,) for seat in w.with_discard]

    def asks(self, w: Outlook, chosen: int) -> bool:
        return bool(w.with_discard)


class Rob(Seats, frozen=True, tag="rob"):
    """Take the top card of that pile into one's hand."""

    def after(self, w: Outlook, choice: Choice) -> Iterator[Outlook]:
        yield w.gaining(w.top_of(choice[0]))


class LeaveCenser(Seats, frozen=True, tag="leave_censer"):
    """Take the top card of that pile onto one's own; then the acting card goes onto that pile."""


class Repay(Step, frozen=True, tag="repay"):
    """The opponent chosen before puts a card from hand on the acting seat's discard pile."""


class OpenBook(Step, frozen=True, tag="open_book"):
    """Reveal the top card of one's deck, execute its action if that is possible, then discard it."""

    def choices(self, w: Outlook, chosen: int) -> Sequence[Choice]:
        return (NO_CHOICE,) if w.deck + len(w.discard) else ()


class Again(Step, frozen=True):
    """Run the action of another card, which is the choice."""

    never: list[str]


class Repeat(Again, frozen=True, tag="repeat"):
    """An action executed earlier this turn, with fresh choices."""


class Borrow(Again, frozen=True, tag="borrow"):
    """The action of a card at the pyramid's base, which stays where it is."""


AnyStep = (
    Sacrifice | Entomb | Discard | Take | Put | Cover | Give | Exchange | Either | Maybe | Draw | Modify | Force
    | RequireDiscard | Reveal | Look | DiscardRest | PutUnder | PutBack | TopOrBottom | Reshuffle | Redraw | DrawIfNew
    | Rob | LeaveCenser | Repay | OpenBook | Repeat | Borrow
)
CERTAIN = (Maybe, Draw, Modify, Force, Aftermath, Reshuffle, DrawIfNew, Repay)
ASKING = (Either, Maybe, Give, Exchange, PutBack, Redraw, Seats, Again)


def is_certain(step: Step) -> bool:
    """Can be done whatever the table looks like."""
    return isinstance(step, CERTAIN) or (isinstance(step, Choose) and step.may)


def is_open(step: Step) -> bool:
    """Everybody can tell which choices there are."""
    if isinstance(step, Choose):
        return PUBLIC.issuperset(step.sources)
    if isinstance(step, Exchange):
        return PUBLIC.issuperset((step.a, step.b))
    return not isinstance(step, PutBack | Redraw | Again)


def asks_somebody(step: Step) -> bool:
    """Has something to choose: not what only one card at most can be meant by."""
    if isinstance(step, Choose) and not isinstance(step, Give):
        return step.may or not FIXED.issuperset(step.sources)
    return isinstance(step, ASKING) or (isinstance(step, Force) and step.who == "chosen_opponent")
