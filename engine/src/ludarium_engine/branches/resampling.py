"""Resample hidden information by drawing a state that fits an audience's knowledge.

The functions do not read the true state of the game, so the drawn state depends only on the seed and on the events that the
audience has received. A token represents a hidden card, and a deal assigns a card to each token.

See docs/decisions/127 and docs/decisions/051.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec.structs import replace

from ludarium_engine.branches.answers import Answer
from ludarium_engine.branches.blocks import Blocks, TooLarge
from ludarium_engine.branches.counting import DealCounter, connected_groups
from ludarium_engine.kernel.choices import RulesError
from ludarium_engine.kernel.contract import clone
from ludarium_engine.kernel.facts import Became
from ludarium_engine.kernel.identities import DEPARTED
from ludarium_engine.kernel.knowledge import Knowledge, Mix
from ludarium_engine.kernel.known_numbers import number_slots
from ludarium_engine.kernel.scripts import Sealed
from ludarium_engine.kernel.slots import ALL, ENTRY_KINDS, INDEX_BITS, Frame, State, read_slot, write_slot

MOST_TRIES = 200_000                            # the most draws, of blocks and of whole deals, for one state


class NoDeal(RulesError):
    """No deal was found, or hidden information has no declared values."""


def resample(knowledge: Knowledge, rng: Random) -> State:
    """Draw a state that agrees with the audience's knowledge.

    All histories of the game that agree with the audience's observations are equally likely. Other seats must submit their
    sealed answers again, their preferences are cleared, and random draws are counted from 0.

    Raises:
        NoDeal: a hidden pick or number has no declared values, or too few deals agree with the disclosed answers.
    """
    return Sampler(knowledge).deal(rng)


class Sampler:
    """A sampler that draws states for one moment of a game.

    The knowledge must not change while the sampler is in use.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        """Prepare the draws.

        Raises:
            NoDeal: a hidden pick or number has no declared values.
        """
        check_declared(knowledge)
        self.knowledge = knowledge
        answers = [answer for answer in (Answer(knowledge, one) for one in knowledge.admissions) if not answer.is_certain]
        self.parts: list[DealCounter | Blocks] = []
        for part in connected_groups(knowledge.identities.groups):
            tokens = {token for group in part for token in group.tokens}
            about = [answer for answer in answers if answer.tokens and answer.tokens <= tokens and not answer.versions]
            self.parts.append(self.part(part, about, answers))
        self.answers = answers

    def part(self, groups: Sequence[Any], about: Sequence[Answer], answers: list[Answer]) -> DealCounter | Blocks:
        """Prepare the draws of connected groups.

        Args:
            groups: groups that are connected by shared cards.
            about: the answers that depend on these groups only.
            answers: the answers to check against the whole deal; the function removes those that blocks check.
        """
        if about or (len(groups) > 1 and self.knowledge.title.predicates):
            try:
                blocks = Blocks(self.knowledge, groups, about)
            except TooLarge:
                return DealCounter(groups)
            answers[:] = [answer for answer in answers if answer not in about]
            return blocks
        return DealCounter(groups)

    def deal(self, rng: Random) -> State:
        """Draw a state.

        Raises:
            NoDeal: too few deals agree with the disclosed answers.
        """
        tries = iter(range(MOST_TRIES))
        try:
            while True:
                next(tries)
                found = self.drawn(rng, tries)
                if found is not None:
                    return found
        except StopIteration:
            raise NoDeal(f"{self.knowledge.title.id}: too few deals agree with what was disclosed") from None

    def drawn(self, rng: Random, tries: Iterator[int]) -> State | None:
        """Draw a state, or return None if the draw must be rejected.

        A draw is rejected if it contradicts an answer, a mix of cards or the title's invariants.
        """
        cards = dict(self.knowledge.identities.cards)
        for part in self.parts:
            cards |= part.dealt(rng, tries) if isinstance(part, Blocks) else part.dealt(rng)
        numbers = self.numbers(rng)
        if not self.unmixed(cards, rng) or not all(answer.holds(cards, numbers) for answer in self.answers):
            return None
        s = self.state(cards, numbers)
        return s if is_possible(self.knowledge, s) else None

    def unmixed(self, cards: dict[int, int], rng: Random) -> bool:
        """Draw the cards that the tokens had before each mix.

        Returns:
            False if the drawn cards are not possible.
        """
        return all(self.unmixed_once(mix, cards, rng) for mix in reversed(self.knowledge.mixes))

    def unmixed_once(self, mix: Mix, cards: dict[int, int], rng: Random) -> bool:
        """Draw the cards that the tokens had before one mix.

        Returns:
            False if the drawn cards are not possible.
        """
        faces = self.knowledge.faces
        here = {faces[card] if card >= DEPARTED + mix.departed else card: card for card in (cards[token] for token in mix.new)}
        known = {token: min(may) for token, may in zip(mix.old, mix.may_be, strict=True) if len(may) == 1}
        if not here.keys() >= {*known.values()}:
            return False
        others = sorted(here.keys() - known.values())
        rng.shuffle(others)
        for token, may in zip(mix.old, mix.may_be, strict=True):
            card = known[token] if token in known else others.pop()
            if card not in may:
                return False
            cards[token] = here[card]
        return True

    def numbers(self, rng: Random) -> dict[int, Any]:
        """Return a value for each version of a number; unknown values are random."""
        known, needed = self.knowledge.numbers, {**self.knowledge.numbers.versions}
        found: dict[int, Any] = {}
        older = [pair for answer in self.answers for pair in answer.admission.versions.items()]
        for slot, version in [*needed.items(), *older]:
            if version not in found:
                found[version] = known.values[version] if version in known.values else known.drawn(slot, version, rng)
        return found

    def state(self, cards: dict[int, int], numbers: dict[int, Any]) -> State:
        """Fill the hidden parts of the audience's view with the drawn cards and numbers."""
        knowledge = self.knowledge
        s = clone(knowledge.seen)
        for slot, tokens in knowledge.tokens.items():
            read_slot(s, slot)[:] = [card for token in tokens if (card := cards[token]) < DEPARTED]
        for slot in number_slots(knowledge.title, s):
            write_slot(Became(slot, numbers[knowledge.numbers.versions[slot]]), s)
        s.agenda = [unsealed(knowledge, s, f) for f in knowledge.agenda]
        return s


def is_possible(knowledge: Knowledge, s: State) -> bool:
    """Return whether the title's invariants hold.

    They are checked only for titles with hidden numbers, which may depend on each other.
    """
    try:
        if knowledge.title.values:
            knowledge.title.invariants(s)
    except AssertionError:
        return False
    return True


def unsealed(knowledge: Knowledge, s: State, f: Frame) -> Frame:
    """Return the frame, asking seats again whose sealed answers are hidden."""
    row = knowledge.title.scripts[f.script].rows[f.row] if f.asked or f.sealed else None
    if not isinstance(row, Sealed):
        return f
    sealed = {seat for seat, _ in f.sealed}
    return replace(f, asked=tuple(sorted({*f.asked, *row.seats(s, f)} - sealed)))


def check_declared(knowledge: Knowledge) -> None:
    """Check that everything hidden is a card or a number with declared values.

    Raises:
        NoDeal: a hidden pick, number or flag has no declared values.
    """
    title, layout = knowledge.title, knowledge.layout.at(knowledge.seen)
    undeclared = layout.hidden_numbers - title.values.keys()
    hidden = [layout.fields[n].name for n in sorted(undeclared) if not all(
        layout.depth_for(knowledge.audience, slot) == ALL for slot in entry_slots(knowledge, n))]
    picks = [f"{f.script}.{pick.name}" for f in knowledge.agenda for pick in title.scripts[f.script].picks
             if (f.script, pick.name) in layout.hidden_picks]
    if hidden or picks:
        raise NoDeal(f"{title.id}: what is hidden in {', '.join([*hidden, *picks])} has no declared values")


def entry_slots(knowledge: Knowledge, n: int) -> range:
    """Return the slots of a field: one for each entry, or one for the whole field."""
    field, first = knowledge.layout.fields[n], n << INDEX_BITS
    if field.kind not in ENTRY_KINDS:
        return range(first, first + 1)
    return range(first + 1, first + 1 + len(getattr(knowledge.seen, field.name)))
