"""Track what one audience knows about hidden cards and numbers.

This knowledge follows only from the events that the audience is sent. A token stands for one card, which the audience may or
may not know (see `identities`). The tokens of a pile are in the order in which the audience sees the backs of the cards.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ludarium_engine.kernel.choices import SEAT, RulesError
from ludarium_engine.kernel.contract import clone
from ludarium_engine.kernel.facts import Admitted, AnyFact, Moved, Revealed, Shared, Shuffled, Uncovered
from ludarium_engine.kernel.identities import DEPARTED, Identities
from ludarium_engine.kernel.known_numbers import KnownNumbers
from ludarium_engine.kernel.layout import Layout
from ludarium_engine.kernel.observations import Observation, apply_seen
from ludarium_engine.kernel.slots import INDEX_BITS, UNKNOWN, Frame, State, entry_index, field_number, read_slot
from ludarium_engine.kernel.title import Title


class Admission(NamedTuple):
    """A disclosed answer, with what the audience knew of the position at that time.

    Attributes:
        fact: the fact that discloses the answer.
        piles: the tokens that the predicate reads, by slot.
        gone: the departed cards that had already left these piles.
        versions: the versions of the hidden numbers that the predicate reads, by slot.
        seen: the audience's view at that time.
        fits: for a predicate about some card of a pile, the cards that pass its test; None for any other predicate.
    """

    fact: Admitted
    piles: Mapping[int, tuple[int, ...]]
    gone: frozenset[int]
    versions: Mapping[int, int]
    seen: State
    fits: frozenset[int] | None


class Mix(NamedTuple):
    """A shuffle of tokens, recorded because earlier answers refer to some of them.

    Attributes:
        old: the tokens before the shuffle.
        new: the tokens after it. They stand for the same cards as `old`, in an unknown order.
        may_be: the cards that each old token could be.
        departed: the number of departed cards at that time.
    """

    old: tuple[int, ...]
    new: tuple[int, ...]
    may_be: tuple[frozenset[int], ...]
    departed: int


class Knowledge:
    """What one audience knows about the hidden cards and numbers of a game.

    Attributes:
        seen: the audience's view, without the agenda.
        agenda: the agenda of the latest view.
        identities: which card each token is or can be.
        tokens: the tokens of each pile, by slot; the top one is last.
        faces: the card of each departed id.
    """

    def __init__(self, title: Title[Any, Any], layout: Layout, audience: int, options: Any, seats: int) -> None:
        """Start from the blank state, which every audience knows.

        Args:
            title: the title that is played.
            layout: the layout by which events are redacted.
            audience: a seat, or SPECTATOR.
            options: the options of the game.
            seats: the number of seats.
        """
        blank: State = title.blank(options, seats)
        self.title, self.layout, self.audience = title, layout, audience
        self.seen: State = clone(layout.view(blank, audience))
        self.agenda: Sequence[Frame] = ()
        self.identities = Identities()
        self.tokens: dict[int, list[int]] = {}
        self.faces: dict[int, int] = {}
        self.open: dict[int, list[int]] = {}    # departed cards whose tokens are still listed in a pile, by slot
        self.heard = 0                          # the number of disclosed answers so far
        self.admissions: list[Admission] = []
        self.mixes: list[Mix] = []
        self.numbers = KnownNumbers(title, blank)
        for slot, pile in layout.piles(blank):
            self.tokens[slot] = [self.identities.token(card) for card in pile]

    # --- events ---------------------------------------------------------------------------------------------------------
    def apply(self, observation: Observation) -> None:
        """Update the knowledge after an event, as it was sent to the audience."""
        for fact in observation.event.facts:
            self.follow(fact)
            self.numbers.follow(fact)
            apply_seen(self.layout, self.seen, fact, self.audience)
        self.agenda = observation.agenda

    def follow(self, fact: AnyFact) -> None:
        """Update the tokens after one redacted fact."""
        match fact:
            case Moved(cards, src, dst, top):
                self.arrive(self.leave(cards, src, top), dst)
            case Shuffled(slot):
                self.settle(slot)
                self.mix(self.tokens[slot], slot)
            case Uncovered(card, slot):
                self.settle(slot)
                self.identities.identify(self.tokens[slot][-1], card)
            case Revealed(cards, slot):
                for card in cards:
                    self.identities.confine(card, self.candidates(card, slot))
            case Shared(slot, tuple(cards)) if self.layout.slot_kinds[slot] == "pile" and UNKNOWN not in cards:
                self.settle(slot)
                for token, card in zip(self.tokens[slot], cards, strict=True):
                    self.identities.identify(token, card)
            case Admitted():
                self.hear(fact)

    # --- moves ----------------------------------------------------------------------------------------------------------
    def leave(self, cards: Sequence[int], src: int, top: int) -> list[int]:
        """Remove cards from a pile and return their tokens, in the same order.

        Args:
            cards: the cards; UNKNOWN for each that the audience does not see.
            src: the slot of the pile.
            top: the index in `cards` of the top card of the pile; UNKNOWN if that is not known.
        """
        unknown = cards.count(UNKNOWN)
        if unknown:
            self.settle(src)
        covered = self.covered(src) if unknown else []
        if top != UNKNOWN and cards[top] != UNKNOWN:
            self.settle(src)
            self.identities.identify(self.tokens[src][-1], cards[top])
        named = {card: self.depart(card, src) for card in cards if card != UNKNOWN}
        unseen = iter(self.depart_unseen(unknown, [token for token in covered if token not in named.values()], src))
        return [next(unseen) if card == UNKNOWN else named[card] for card in cards]

    def covered(self, slot: int) -> list[int]:
        """Return the tokens of a pile whose cards are hidden in the audience's view."""
        shown = read_slot(self.seen, slot)
        return [token for token, card in zip(self.tokens[slot], shown, strict=True) if card == UNKNOWN]

    def depart(self, card: int, src: int) -> int:
        """Remove a card that the audience sees leave a pile, and return its token.

        If several tokens can be the card, they are mixed with all tokens between them, or the choice is left open
        (`depart_openly`).
        """
        pile, may = self.tokens[src], self.candidates(card, src)
        first, last = pile.index(may[0]), pile.index(may[-1])
        between = pile[first : last + 1]        # one of these left, so the order of the others is no longer known
        if len(may) > 1 and self.title.predicates and not self.identities.alike(between):
            return self.depart_openly(card, may, src)
        self.mix(between, src)
        token = pile.pop(last)
        self.identities.identify(token, card)
        return token

    def candidates(self, card: int, slot: int) -> list[int]:
        """Return the tokens of a pile that can be a card, from the bottom up.

        Raises:
            RulesError: no token of the pile can be the card.
        """
        may = self.identities.tokens_of(card)
        found = [token for token in self.tokens[slot] if token in may]
        if not found:
            raise RulesError(f"the card {card} cannot lie there")
        return found

    def depart_openly(self, card: int, may: Sequence[int], src: int) -> int:
        """Record that a card left a pile, without deciding which token it was.

        The tokens that can be the card must not be mixed, because disclosed answers tell them apart.

        Returns:
            A new token for the card.
        """
        departed = DEPARTED + len(self.faces)
        self.faces[departed] = card
        self.open.setdefault(src, []).append(departed)
        self.identities.rename(card, departed)
        for token in may:
            self.identities.sign(token, (UNKNOWN, departed))
        self.identities.confine(departed, may)
        return self.identities.token(card)

    def depart_unseen(self, n: int, covered: list[int], src: int) -> list[int]:
        """Remove n unseen cards from a pile and return their tokens.

        The covered tokens are mixed, and the uppermost of them leave.
        """
        if not n:
            return []
        places = [self.tokens[src].index(token) for token in covered]
        self.mix(covered, src)
        left = [self.tokens[src][place] for place in places[-n:]]
        for token in left:
            self.tokens[src].remove(token)
        return left

    def arrive(self, tokens: Sequence[int], dst: int) -> None:
        """Put tokens onto a pile.

        The title's `homes` say which cards the rules can never put there. These are excluded for the tokens.
        """
        self.tokens[dst] += tokens
        name = self.layout.fields[field_number(dst)].name
        if at_home := self.title.homes.get(name):
            unknown = [token for token in tokens if token not in self.identities.cards]
            cards = {card for token in unknown for card in self.identities.may_be(token)}
            strange = [card for card in cards if not at_home(entry_index(dst), self.faces.get(card, card))]
            self.identities.exclude(unknown, strange)

    # --- mixes ----------------------------------------------------------------------------------------------------------
    def settle(self, slot: int) -> None:
        """Remove the tokens of a pile's departed cards from it.

        The tokens that are known to be departed cards are removed first. The others are mixed, and one of them is removed for
        each other departed card. Afterwards the pile has one token for each card in it.
        """
        if departed := self.open.pop(slot, []):
            known = {self.identities.cards.get(token) for token in self.tokens[slot]}
            left = [card for card in departed if card not in known]
            gone = {token for token in self.tokens[slot] if self.identities.cards.get(token) in departed}
            self.tokens[slot][:] = [token for token in self.tokens[slot] if token not in gone]
            self.mix(self.tokens[slot], slot)
            for card in left:
                self.identities.identify(self.tokens[slot].pop(), card)

    def mix(self, tokens: Sequence[int], slot: int) -> None:
        """Make tokens of a pile indistinguishable."""
        if len(tokens) < 2 or self.identities.alike(tokens):
            return
        old = [*tokens]
        new = self.renewed(old, slot) if any(token in self.identities.signs for token in old) else old
        self.identities.merge(old, new)

    def renewed(self, old: Sequence[int], slot: int) -> list[int]:
        """Replace tokens by new ones before a mix, and return the new ones.

        Earlier answers stay true of the old ones.
        """
        new = {token: next(self.identities.fresh) for token in old}
        may_be = tuple([self.identities.may_be(token) for token in old])
        self.mixes.append(Mix(tuple(old), tuple(new.values()), may_be, len(self.faces)))
        self.tokens[slot][:] = [new.get(token, token) for token in self.tokens[slot]]
        for token in new.values():
            self.identities.sign(token, (UNKNOWN, len(self.mixes)))
        return [*new.values()]

    # --- admissions ----------------------------------------------------------------------------------------------------
    def hear(self, fact: Admitted) -> None:
        """Record a disclosed answer, unless the groups can express all of it."""
        predicate, slots = self.title.predicates[fact.what], self.read_slots(fact)
        piles = {slot: tuple(self.tokens[slot]) for slot in slots if slot in self.tokens}
        gone = frozenset(card for slot in piles for card in self.open.get(slot, ()))
        fits: frozenset[int] | None = None
        self.heard += 1
        for slot, token in [(slot, token) for slot, pile in piles.items() for token in pile]:
            self.identities.sign(token, (self.heard, slot))
        if predicate.card:
            (pile,) = piles.values()
            fits = frozenset(card for card in self.possible(pile, gone) if predicate.card(card, *fact.args[1:]))
            if self.is_said(pile, fits, fact.answer):
                return
        versions = {slot: version for slot, version in self.numbers.versions.items() if slot in slots}
        self.admissions.append(Admission(fact, piles, gone, versions, clone(self.seen), fits))

    def is_said(self, pile: Sequence[int], fits: frozenset[int], answer: int) -> bool:
        """Apply an answer to the groups, and return whether they express all of it.

        Args:
            pile: the tokens that the question was about.
            fits: the cards that pass the test of the question.
            answer: 1 if some card of the pile passes the test, else 0.
        """
        if not answer:
            self.identities.exclude(pile, fits)
        elif len(fits) == 1:
            self.identities.confine(min(fits), [token for token in pile if fits <= self.identities.may_be(token)])
        return not answer or len(fits) == 1 or any(self.identities.cards.get(token) in fits for token in pile)

    def read_slots(self, fact: Admitted) -> list[int]:
        """Return the slots that a predicate reads.

        If the predicate declares a zone, these are the piles of the seats in its arguments, otherwise all slots.
        """
        predicate = self.title.predicates[fact.what]
        if predicate.zone is None:
            return [*self.tokens, *self.numbers.versions]
        n = next(n for n, f in enumerate(self.layout.fields) if f.name == predicate.zone)
        seats = [arg for kind, arg in zip(predicate.args, fact.args, strict=True) if kind == SEAT]
        return [(n << INDEX_BITS) + 1 + seat for seat in seats]

    def possible(self, pile: Iterable[int], gone: Collection[int]) -> set[int]:
        """Return the cards that can be among these tokens, without the departed ones."""
        return {card for token in pile for card in self.identities.may_be(token) if card < DEPARTED} - {*gone}
