"""Make each declared secret public in turn, to check that the proof notices.

This tests the non-interference proof itself (see `noninterference`). A world is one version of a game; two worlds differ only
in hidden information.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ludarium_engine.kernel.facts import AnyFact
from ludarium_engine.kernel.slots import REMEMBERED
from ludarium_engine.testkit.audiences import FACTS, ZONE, AnyTitle, Moment, Opened, Secret, is_secret, secrets
from ludarium_engine.testkit.fuzz import Case
from ludarium_engine.testkit.noninterference import MOST_EVENTS, trials_along
from ludarium_engine.testkit.steps import Step, steps_of

COVERED = "covered: everybody saw what went in, which is proven at every move"
UNUSED = "not used by this title: it never differs between two worlds"
NO_CARDS = "not proven: no number here ever differed; declare its values, and other ones are drawn"


class Flip(NamedTuple):
    """The result of making one declared secret public.

    Attributes:
        name: the name of the secret.
        noticed: whether the proof failed, as it must; None if there was nothing to notice.
        trials: the number of trials until the first failure, or of all trials if none failed.
        why: the reason if `noticed` is None.
    """

    name: str
    noticed: bool | None
    trials: int
    why: str = ""


class Watch:
    """A comparison that collects secrets that differ and secrets that the proof notices.

    `distinguishes` always returns False, so that a trial continues for the other secrets.
    """

    def __init__(self, title: AnyTitle, names: Iterable[str]) -> None:
        self.title = title
        self.waiting = {name: (Secret(title, name), Opened(title, name)) for name in names}
        self.used: set[str] = set()
        self.noticed: dict[str, int] = {}           # by name, the number of the trial
        self.tried = 0

    def distinguishes(self, one: Moment, other: Moment, audience: int) -> bool:
        for name, (secret, opened) in [*self.waiting.items()]:
            if secret.distinguishes(one, other, audience):
                self.used.add(name)
                if opened.distinguishes(one, other, audience):
                    self.noticed[name] = self.tried + 1
                    del self.waiting[name]
        return False


def flips(title: AnyTitle, cases: Sequence[Case], seeds: Sequence[int]) -> Iterator[Flip]:
    """Play random games and yield the result for each declared secret."""
    games = [(seed, [*steps_of(case, seed, MOST_EVENTS)]) for seed in seeds for case in cases]
    facts = [fact for _, steps in games for step in steps for fact in step.event.facts]
    watch = Watch(title, [name for name in secrets(title) if happens(name, facts)])
    for seed, steps in games:
        go_along(watch, seed, steps)
    numbers = {ZONE + field.name for field in title.layout.fields if not field.holds_cards}
    for name in secrets(title):
        if name in watch.used:
            yield Flip(name, name in watch.noticed, watch.noticed.get(name, watch.tried))
        else:
            yield Flip(name, None, watch.tried if name in watch.waiting else 0, NO_CARDS if name in numbers else UNUSED)
    for field in title.layout.fields:
        if field.visibility in REMEMBERED:
            yield Flip(ZONE + field.name, None, 0, COVERED)


def happens(name: str, facts: Iterable[AnyFact]) -> bool:
    """Return whether a secret can be tested with these facts.

    A secret that is not about facts can always be tested.
    """
    return name not in FACTS or any(is_secret(name, fact) for fact in facts)


def go_along(watch: Watch, seed: int, steps: Sequence[Step]) -> None:
    """Run trials along one game until every secret has been noticed."""
    for _ in trials_along(watch, steps, seed) if watch.waiting else ():
        watch.tried += 1
        if not watch.waiting:
            return
