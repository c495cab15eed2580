"""What an audience knows of hidden cards and numbers, folded from what it is sent alone: no function here takes a state.

A token stands for a card that the audience may not see. The tokens of a pile are in the order in which it sees their backs.
Tokens that cannot be distinguished are in one group, with the cards that they may be.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count, permutations
from typing import Any, NamedTuple

from ludarium_engine.kernel.choices import SEAT, RulesError
from ludarium_engine.kernel.contract import clone
from ludarium_engine.kernel.facts import Admitted, AnyFact, Moved, Revealed, Shared, Shuffled, Uncovered
from ludarium_engine.kernel.known_numbers import KnownNumbers
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.observations import Observation, apply_seen
from ludarium_engine.kernel.slots import INDEX_BITS, UNKNOWN, Frame, State, entry_index, field_number, read_slot
from ludarium_engine.kernel.title import Title

DEPARTED = 1 << 32
"""Numbers from here on stand for cards that have left a pile: which of its tokens they were is open."""


class Group(NamedTuple):
    """Tokens that cannot be distinguished, and the cards that they may be: no fewer than tokens."""

    tokens: set[int]
    cards: set[int]


class Admission(NamedTuple):
    """An answer that was disclosed about a position.

    piles: by slot the tokens that the predicate reads. gone: which of the departed cards had left before.
    versions: of the hidden numbers. seen: the view of that position. fits: the cards for which a predicate about some card of
    one pile holds; None for any other predicate.
    """

    fact: Admitted
    piles: Mapping[int, tuple[int, ...]]
    gone: frozenset[int]
    versions: Mapping[int, int]
    seen: State
    fits: frozenset[int] | None


class Mix(NamedTuple):
    """Tokens were mixed, of some of which something had been disclosed: `new` are the same cards in any order.

    may_be: the cards that each of the old ones may have been. departed: how many cards had left a pile openly before.
    """

    old: tuple[int, ...]
    new: tuple[int, ...]
    may_be: tuple[frozenset[int], ...]
    departed: int


class Knowledge:
    """The knowledge of one audience.

    seen: its view, without the agenda. agenda: as its last view had it. tokens: by slot. cards: of the tokens that it knows.
    groups: of all other tokens. faces: which card a departed one is.
    """

    def __init__(self, title: Title[Any, Any], layout: Layout, audience: int, options: Any, seats: int) -> None:
        """layout: by which it is shown things."""
        blank: State = title.blank(options, seats)
        self.title, self.layout, self.audience = title, layout, audience
        self.seen: State = clone(layout.view(blank, audience))
        self.agenda: Sequence[Frame] = ()
        self.fresh = count()
        self.tokens: dict[int, list[int]] = {}
        self.cards: dict[int, int] = {}
        self.token_of: dict[int, int] = {}
        self.groups: list[Group] = []
        self.faces: dict[int, int] = {}
        self.open: dict[int, list[int]] = {}    # by slot the departed cards whose tokens are still listed there
        self.signs: dict[int, tuple[tuple[int, int], ...]] = {}         # of a token, what was disclosed about it
        self.heard = 0                          # how many answers
        self.admissions: list[Admission] = []
        self.mixes: list[Mix] = []
        self.numbers = KnownNumbers(title, blank)
        for slot, pile in layout.piles(blank):
            self.tokens[slot] = [self.token(card) for card in pile]

    # --- events ---------------------------------------------------------------------------------------------------------
    def apply(self, observation: Observation) -> None:
        """Learn from an event as the audience is sent it."""
        for fact in observation.event.facts:
            self.follow(fact)
            self.numbers.follow(fact)
            apply_seen(self.layout, self.seen, fact, self.audience)
        self.agenda = observation.agenda

    def follow(self, fact: AnyFact) -> None:
        match fact:
            case Moved(cards, src, dst, top):
                self.arrive(self.leave(cards, src, top), dst)
            case Shuffled(slot):
                self.settle(slot)
                self.mix(self.tokens[slot], slot)
            case Uncovered(card, slot):
                self.settle(slot)
                self.identify(self.tokens[slot][-1], card)
            case Revealed(cards, slot):
                for card in cards:
                    self.confine(card, self.candidates(card, slot))
            case Shared(slot, tuple(cards)) if self.layout.slot_kinds[slot] == "pile" and UNKNOWN not in cards:
                self.settle(slot)
                for token, card in zip(self.tokens[slot], cards, strict=True):
                    self.identify(token, card)
            case Admitted():
                self.hear(fact)

    # --- moves ----------------------------------------------------------------------------------------------------------
    def leave(self, cards: Sequence[int], src: int, top: int) -> list[int]:
        """Take cards off a pile; return their tokens, in this order."""
        unknown = cards.count(UNKNOWN)
        if unknown:
            self.settle(src)
        covered = self.covered(src) if unknown else []
        if top != UNKNOWN and cards[top] != UNKNOWN:
            self.settle(src)
            self.identify(self.tokens[src][-1], cards[top])
        named = {card: self.depart(card, src) for card in cards if card != UNKNOWN}
        unseen = iter(self.depart_unseen(unknown, [token for token in covered if token not in named.values()], src))
        return [next(unseen) if card == UNKNOWN else named[card] for card in cards]

    def covered(self, slot: int) -> list[int]:
        """Return the tokens of a pile that the audience does not see now."""
        shown = read_slot(self.seen, slot)
        return [token for token, card in zip(self.tokens[slot], shown, strict=True) if card == UNKNOWN]

    def depart(self, card: int, src: int) -> int:
        """A card leaves a pile, seen. Which of its tokens that was may be open."""
        pile, may = self.tokens[src], self.candidates(card, src)
        first, last = pile.index(may[0]), pile.index(may[-1])
        between = pile[first : last + 1]        # without knowing which one it was, their order is lost as well
        if len(may) > 1 and self.title.predicates and not self.alike(between):
            return self.depart_openly(card, may, src)
        self.mix(between, src)
        token = pile.pop(last)
        self.identify(token, card)
        return token

    def candidates(self, card: int, slot: int) -> list[int]:
        """Return the tokens of a pile that may be a card."""
        may = {self.token_of[card]} if card in self.token_of else {
            token for group in self.groups if card in group.cards for token in group.tokens
        }
        found = [token for token in self.tokens[slot] if token in may]
        if not found:
            raise RulesError(f"the card {card} cannot lie there")
        return found

    def depart_openly(self, card: int, may: Sequence[int], src: int) -> int:
        """Leave it open which token it was, since something was disclosed with only some of them."""
        departed = DEPARTED + len(self.faces)
        self.faces[departed] = card
        self.open.setdefault(src, []).append(departed)
        for group in self.groups:
            if card in group.cards:
                group.cards.remove(card)
                group.cards.add(departed)
        for token in may:
            self.sign(token, (UNKNOWN, departed))
        self.confine(departed, may)
        return self.token(card)

    def depart_unseen(self, n: int, covered: list[int], src: int) -> list[int]:
        """Some of these tokens leave a pile, it is not seen which: the uppermost ones, once all of them are mixed."""
        if not n:
            return []
        places = [self.tokens[src].index(token) for token in covered]
        self.mix(covered, src)
        left = [self.tokens[src][place] for place in places[-n:]]
        for token in left:
            self.tokens[src].remove(token)
        return left

    def arrive(self, tokens: Sequence[int], dst: int) -> None:
        """Cards come onto a pile. The rules may say which cards can ever lie there."""
        self.tokens[dst] += tokens
        name = self.layout.fields[field_number(dst)].name
        if at_home := self.title.homes.get(name):
            unknown = [token for token in tokens if token not in self.cards]
            cards = {card for token in unknown for card in self.may_be(token)}
            strange = [card for card in cards if not at_home(entry_index(dst), self.faces.get(card, card))]
            self.exclude(unknown, strange)

    # --- tokens ---------------------------------------------------------------------------------------------------------
    def token(self, card: int) -> int:
        token = next(self.fresh)
        self.cards[token], self.token_of[card] = card, token
        return token

    def sign(self, token: int, what: tuple[int, int]) -> None:
        """what: an admission and the pile in which it was then, or where cards have left a pile or were mixed."""
        self.signs[token] = (*self.signs.get(token, ()), what)

    def alike(self, tokens: Sequence[int]) -> bool:
        """Whether nothing distinguishes these tokens: they may be the same cards, and the same was disclosed with them."""
        group = self.group_of(tokens[0])
        return len(tokens) == 1 or (
            group is not None and group.tokens.issuperset(tokens) and len({self.signs.get(token) for token in tokens}) == 1
        )

    def group_of(self, token: int) -> Group | None:
        return next((group for group in self.groups if token in group.tokens), None)

    def may_be(self, token: int) -> frozenset[int]:
        group = self.group_of(token)
        return frozenset(group.cards if group else [self.cards[token]])

    def settle(self, slot: int) -> None:
        """Mix a pile with the cards that have left it: from now on its tokens are those that lie there."""
        if departed := self.open.pop(slot, []):
            known = {self.cards.get(token) for token in self.tokens[slot]}
            left = [card for card in departed if card not in known]
            gone = {token for token in self.tokens[slot] if self.cards.get(token) in departed}
            self.tokens[slot][:] = [token for token in self.tokens[slot] if token not in gone]
            self.mix(self.tokens[slot], slot)
            for card in left:
                self.identify(self.tokens[slot].pop(), card)

    def mix(self, tokens: Sequence[int], slot: int) -> None:
        """Tokens of a pile cannot be distinguished from now on."""
        if len(tokens) < 2 or self.alike(tokens):
            return
        old = [*tokens]
        new = self.renewed(old, slot) if any(token in self.signs for token in old) else old
        cards = {self.cards[token] for token in old if token in self.cards}
        for group in self.groups:
            if not group.tokens.isdisjoint(old):
                cards |= group.cards
                group.tokens.difference_update(old)
        for token in old:
            self.forget(token)
        self.groups.append(Group({*new}, cards))
        self.deduce()

    def renewed(self, old: Sequence[int], slot: int) -> list[int]:
        """Replace tokens with which something was disclosed, which stays so: in their places new ones lie."""
        new = {token: next(self.fresh) for token in old}
        may_be = tuple([self.may_be(token) for token in old])
        self.mixes.append(Mix(tuple(old), tuple(new.values()), may_be, len(self.faces)))
        self.tokens[slot][:] = [new.get(token, token) for token in self.tokens[slot]]
        for token in new.values():
            self.sign(token, (UNKNOWN, len(self.mixes)))
        return [*new.values()]

    def forget(self, token: int) -> None:
        if token in self.cards:
            self.token_of.pop(self.cards.pop(token), None)

    # --- what is learned -----------------------------------------------------------------------------------------------
    def identify(self, token: int, card: int) -> None:
        """A token is this card."""
        self.confine(card, [token])

    def confine(self, card: int, tokens: Collection[int]) -> None:
        """A card is one of these tokens: no other one can be it."""
        if card in self.token_of:
            return
        for group in [*self.groups]:
            if card in group.cards and not group.tokens <= {*tokens}:
                self.split(group, tokens)
                group.cards.discard(card)
        if len(tokens) == 1:
            self.know(next(iter(tokens)), card)
        self.deduce()

    def exclude(self, tokens: Collection[int], cards: Collection[int]) -> None:
        """None of these tokens is any of these cards."""
        for group in [*self.groups]:
            if not group.tokens.isdisjoint(tokens) and not group.cards.isdisjoint(cards):
                part = group if group.tokens <= {*tokens} else self.split(group, tokens)
                part.cards.difference_update(cards)
        self.deduce()

    def split(self, group: Group, tokens: Collection[int]) -> Group:
        """Make a group of its own of those of its tokens; it may be left without any."""
        part = Group(group.tokens.intersection(tokens), {*group.cards})
        group.tokens.difference_update(tokens)
        self.groups.append(part)
        return part

    def know(self, token: int, card: int) -> None:
        self.cards[token] = card
        if card < DEPARTED:
            self.token_of[card] = token
        for group in self.groups:
            group.tokens.discard(token)
            group.cards.discard(card)

    def deduce(self) -> None:
        """Draw conclusions: a group with as many tokens as cards has all of them, and a single card is known."""
        self.groups = [group for group in self.groups if group.tokens]
        for full, other in permutations(self.groups, 2):
            if len(full.tokens) == len(full.cards) and not full.cards.isdisjoint(other.cards):
                other.cards.difference_update(full.cards)
                return self.deduce()
        single = next((group for group in self.groups if len(group.cards) == 1), None)
        if single:
            self.know(min(single.tokens), min(single.cards))
            self.deduce()

    # --- admissions ----------------------------------------------------------------------------------------------------
    def hear(self, fact: Admitted) -> None:
        """Remember an answer, unless which cards tokens may be says all of it."""
        predicate, slots = self.title.predicates[fact.what], self.read_slots(fact)
        piles = {slot: tuple(self.tokens[slot]) for slot in slots if slot in self.tokens}
        gone = frozenset(card for slot in piles for card in self.open.get(slot, ()))
        fits: frozenset[int] | None = None
        self.heard += 1
        for slot, token in [(slot, token) for slot, pile in piles.items() for token in pile]:
            self.sign(token, (self.heard, slot))
        if predicate.card:
            (pile,) = piles.values()
            fits = frozenset(card for card in self.possible(pile, gone) if predicate.card(card, *fact.args[1:]))
            if self.is_said(pile, fits, fact.answer):
                return
        versions = {slot: version for slot, version in self.numbers.versions.items() if slot in slots}
        self.admissions.append(Admission(fact, piles, gone, versions, clone(self.seen), fits))

    def is_said(self, pile: Sequence[int], fits: frozenset[int], answer: int) -> bool:
        """Let which cards its tokens may be say whether some card of a pile is one of these; return whether that says all."""
        if not answer:
            self.exclude(pile, fits)
        elif len(fits) == 1:
            self.confine(min(fits), [token for token in pile if fits <= self.may_be(token)])
        return not answer or len(fits) == 1 or any(self.cards.get(token) in fits for token in pile)

    def read_slots(self, fact: Admitted) -> list[int]:
        """Return the slots that a predicate reads: those of its seats where it says in which zone, else all."""
        predicate = self.title.predicates[fact.what]
        if predicate.zone is None:
            return [*self.tokens, *self.numbers.versions]
        n = next(n for n, f in enumerate(self.layout.fields) if f.name == predicate.zone)
        seats = [arg for kind, arg in zip(predicate.args, fact.args, strict=True) if kind == SEAT]
        return [(n << INDEX_BITS) + 1 + seat for seat in seats]

    def possible(self, pile: Iterable[int], gone: Collection[int]) -> set[int]:
        """Return the cards that may lie in a pile; none of them has left one openly."""
        return {card for token in pile for card in self.may_be(token) if card < DEPARTED} - {*gone}
