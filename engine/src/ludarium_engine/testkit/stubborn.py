"""Check that games end when each player follows one simple policy."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Literal, NamedTuple

from ludarium_engine.kernel import Action, Offer, State, act_in_place, legal_offers, new_game, seats_to_act
from ludarium_engine.kernel.facts import Event, TurnPassed
from ludarium_engine.testkit.fuzz import AnyTitle, Case, chance_of
from ludarium_engine.testkit.sample import random_action, subset

Choice = Literal["cheapest", "dearest", "random"]
PASSES = "pass", "done", "skip", "end", "stop", "rest", "sleep", "nothing", "silence"
"""The verbs with which titles let a player do nothing."""
TAKES = "take", "gain", "draw"
"""The verbs with which titles let a player take cards or resources."""
MOST_COMMANDS = 2000
"""The maximum number of commands in one turn."""


class Policy(NamedTuple):
    """A simple policy that favours certain verbs and always makes the same choice."""

    choice: Choice
    favoured: tuple[str, ...] = ()

    def answer(self, offers: Sequence[Offer], rng: Random) -> Action:
        favoured = [offer for offer in offers if offer.verb in self.favoured] or offers
        if self.choice == "random":
            return random_action(favoured, rng)
        dear = self.choice == "dearest"
        offer = (max if dear else min)(favoured, key=price)
        pieces = sorted(offer.pool, reverse=True)
        return Action(offer.verb, offer.args + tuple(subset(offer, pieces, lambda: dear)))


def price(offer: Offer) -> tuple[int, tuple[int, ...], str]:
    """Return a sort key that ranks offers by number of pieces, then by arguments."""
    return offer.least if offer.pool else 0, offer.args, offer.verb


PLAIN = Policy("cheapest"), Policy("dearest"), Policy("random"), Policy("cheapest", PASSES), Policy("cheapest", TAKES)


def single_minded(title: AnyTitle) -> list[Policy]:
    """Return one policy for each of the title's verbs, which favours that verb."""
    return [Policy("cheapest", (verb,)) for verb in title.verbs]


class Endless(AssertionError):
    """The error that a game took too many rounds, or a turn took too many commands."""


def play(case: Case, by: Sequence[Policy], seed: int, most_rounds: int) -> int:
    """Play a game and return the number of rounds (turns divided by seats), rounded up.

    Args:
        case: the title with its options and number of seats.
        by: the policy of each seat.
        seed: the seed of the game and of random choices.
        most_rounds: the maximum number of rounds.

    Raises:
        Endless: the game did not end in time.
    """
    title, chance, rng = case.title, chance_of(seed), Random(seed)
    s, event = new_game(title, case.options, case.seats, chance)
    turns, commands = passed(event), 0
    while s.outcome is None:
        seat = seats_to_act(s)[0]
        event = act_in_place(title, s, seat, by[seat].answer(legal_offers(title, s, seat), rng), chance)
        commands = 0 if passed(event) else commands + 1
        turns += passed(event)
        if turns > most_rounds * case.seats or commands > MOST_COMMANDS:
            raise Endless(why(case, by, seed, turns, commands, s))
    return -(-turns // case.seats)


def passed(event: Event) -> int:
    return sum(type(fact) is TurnPassed for fact in event.facts)


def why(case: Case, by: Sequence[Policy], seed: int, turns: int, commands: int, s: State) -> str:
    players = ", ".join(f"{policy.choice} {'/'.join(policy.favoured) or 'offer'}" for policy in by)
    asked = s.agenda[-1].script if s.agenda else "nothing"
    about = f"{case.title.id} {dict(case.raw)}, {case.seats} seats, seed {seed}"
    return f"{about}, {players}: no end after {turns} turns and {commands} commands in the last one, at {asked}"
