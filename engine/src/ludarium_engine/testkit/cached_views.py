"""Check that views updated by `ViewCache` equal newly created views."""
from __future__ import annotations

from random import Random

import msgspec
from msgspec.structs import replace

from ludarium_engine.kernel import new_game
from ludarium_engine.kernel.contract import seats_to_act
from ludarium_engine.kernel.describe import ViewCache, describe_view
from ludarium_engine.kernel.layout import Layout, layout_of
from ludarium_engine.testkit.folded import audiences, random_event
from ludarium_engine.testkit.fuzz import AnyTitle, Case, chance_of

json = msgspec.json.Encoder().encode
LOOKS = 0.5
"""The probability that an audience's view is requested after an event.

The value is below 1 so that a cached part may change several times between two requests.
"""


def mended(title: AnyTitle) -> Layout:
    """Return a layout that hides picks and hides every second field from other seats.

    This simulates a title whose later revision shows less.
    """
    found = title.layout
    sights = [depths if n % 2 else (depths[0], 0) for n, depths in enumerate(found.depths)]
    scripts = [replace(one, picks=[replace(pick, shown=False) for pick in one.picks]) for one in found.scripts.values()]
    return found.intersection(layout_of(found.fields, scripts, sights))


def check(case: Case, seed: int) -> int:
    """Play a random game and return how many views were compared.

    Raises:
        AssertionError: a cached view differs from a new one; the message names the event and the audience.
    """
    title, random, chance, checked = case.title, Random(seed), chance_of(seed), 0
    kept = [ViewCache(title, layout) for layout in (title.layout, mended(title))]
    s, event = new_game(title, case.options, case.seats, chance)
    for n in range(title.most_events):
        for parts in kept:
            parts.invalidate(s, event.facts)
            for audience in [a for a in audiences(case.seats) if random.random() < LOOKS]:
                as_new = describe_view(title, s, audience, parts.layout)
                told = f"{case.command('fuzz', seed)}: event {n}, audience {audience}"
                assert json(parts.view(s, audience)) == json(as_new), told
                checked += 1
        if not seats_to_act(s):
            break
        s, event = random_event(title, s, random, chance)
    return checked
