"""Properties of every title in `titles()`, which cover new titles at once."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import msgspec
import pytest

from ludarium_engine.bots import bots
from ludarium_engine.kernel import SPECTATOR, Title, clone, new_game, view
from ludarium_engine.kernel.choices import SEAT
from ludarium_engine.kernel.describe import describe_view
from ludarium_engine.kernel.drawing import BY_SEAT, BY_SPACE, CENTRE, Icons
from ludarium_engine.kernel.folder import read_json_files
from ludarium_engine.kernel.published import schemas, with_zones, zones_document
from ludarium_engine.kernel.scripts import Ask, windows
from ludarium_engine.registry import titles
from ludarium_engine.testkit import absence
from ludarium_engine.testkit.audiences import ZONE, Observer
from ludarium_engine.testkit.flips import flips
from ludarium_engine.testkit.fuzz import DECODE, Case, cases, chance_of, play
from ludarium_engine.testkit.noninterference import DIFFERS, changed, trials
from ludarium_engine.testkit.redacted_fold import fold
from ludarium_engine.testkit.witness import leak
from tests.engine.layouts import difference

AnyTitle = Title[Any, Any]
CHANGED = 0.9


def spread(tables: Sequence[Case]) -> list[Case]:
    """Choose each variant once, and each number of seats at least once."""
    variants = [[*group] for _, group in groupby(tables, key=lambda case: case.raw)]
    chosen = [group[nth % len(group)] for nth, group in enumerate(variants)]
    missing = {case.seats for case in tables} - {case.seats for case in chosen}
    return chosen + [next(case for case in tables[::-1] if case.seats == seats) for seats in sorted(missing)]


every_title = pytest.mark.parametrize("title", titles().values(), ids=titles())
every_case = pytest.mark.parametrize(
    "case", [case for title in titles().values() for case in cases(title)],
    ids=lambda case: f"{case.title.id}-{'-'.join(map(str, case.raw.values()))}-{case.seats}",
)  # fmt: skip
few_cases = pytest.mark.parametrize(
    "case", [case for title in titles().values() for case in spread(cases(title))],
    ids=lambda case: f"{case.title.id}-{'-'.join(map(str, case.raw.values()))}-{case.seats}",
)  # fmt: skip
every_variant = pytest.mark.parametrize(
    "variant", [[*tables] for title in titles().values() for _, tables in groupby(cases(title), key=lambda case: case.raw)],
    ids=lambda variant: f"{variant[0].title.id}-{'-'.join(map(str, variant[0].raw.values()))}",
)  # fmt: skip


@every_title
def test_what_is_said_of_zones_is_said_of_zones_that_there_are(title: AnyTitle) -> None:
    zones = {f.name for f in title.layout.fields}
    assert title.numbers.keys() <= zones and title.lowest.keys() <= zones


@every_title
def test_every_variant_can_be_played(title: AnyTitle) -> None:
    assert {str(case.raw) for case in cases(title)} == {str(raw) for raw in title.variants}


@every_case
def test_a_random_game_keeps_every_invariant(case: Case, seed: int) -> None:
    """The seed differs in each run, and `make fuzz` plays thousands of games."""
    play(case, seed)


@every_variant
def test_no_seat_and_no_spectator_can_tell_two_worlds_apart(variant: Sequence[Case], seed: int) -> None:
    """One table is tested at every second step.

    `ludarium-engine prove` covers everything.
    """
    shared = [case for case in variant if case.seats > 1]
    case = shared[seed % len(shared)]
    results = trials(Observer(case.title), case, [seed], every=2)
    assert not results[DIFFERS], leak(case, [seed])
    assert changed(results) >= CHANGED, results


@every_title
def test_each_secret_that_is_opened_makes_the_proof_fail(title: AnyTitle) -> None:
    opened = list(flips(title, few(cases(title)), range(1)))
    print(*opened, sep="\n")
    assert not [flip.name for flip in opened if flip.noticed is False]
    zones = [flip.noticed for flip in opened if flip.name.startswith(ZONE)]            # other secrets may be rare
    assert Counter(zones)[True] >= len(zones) / 2


@few_cases
def test_a_game_carries_its_options_and_stores_them_once(case: Case) -> None:
    s, event = new_game(case.title, case.options, case.seats, chance_of(1))
    assert s.options == case.options == fold(case.title, case.options, case.seats, [event]).options
    assert clone(s) == s and type(clone(s).options) is case.title.options
    document = zones_document(s)
    assert "options" not in msgspec.json.decode(document)
    assert with_zones(case.title.blank(case.options, case.seats), document).options == case.options


@every_title
def test_options_are_public_and_no_verb_can_write_to_them(title: AnyTitle) -> None:
    case = cases(title)[-1]
    s, _ = new_game(title, case.options, case.seats, chance_of(1))
    assert all(view(title, s, audience).options == case.options for audience in range(SPECTATOR, case.seats))
    assert "options" not in [field.name for field in title.layout.fields]


def few(tables: Sequence[Case]) -> list[Case]:
    """Choose one table of each variant, with different numbers of seats."""
    by_variant: dict[str, list[Case]] = {}
    for case in tables:
        by_variant.setdefault(str(dict(case.raw)), []).append(case)
    return [found[min(len(found) - 1, 1 + nth % 2)] for nth, found in enumerate(by_variant.values())]


@every_title
def test_every_spot_is_a_zone_and_lies_somewhere(title: AnyTitle) -> None:
    zones = [spot.zone for spot in title.spots]
    assert len(set(zones)) == len(zones) and set(zones) <= {f.name for f in title.layout.fields}
    assert {spot.at for spot in title.spots} <= {CENTRE, BY_SEAT, BY_SPACE, *zones}
    assert any(spot.shape == "hand" or spot.at == BY_SEAT for spot in title.spots)


@every_title
def test_a_standing_is_a_public_number_of_each_seat(title: AnyTitle) -> None:
    standings = {spot.zone: spot.at for spot in title.spots if spot.shape == "standing"}
    fields = [(f.visibility, f.kind) for f in title.layout.fields if f.name in standings]
    assert len(standings) < 2 and set(standings.values()) <= {BY_SEAT} and set(fields) <= {("public", "numbers")}


@every_title
def test_a_finished_game_says_how_its_points_came_about(title: AnyTitle) -> None:
    case = cases(title)[0]
    s = fold(title, case.options, case.seats, map(DECODE, play(case, 7).log))
    seen = describe_view(title, s, SPECTATOR)
    scores, sources = seen.scores, seen.sources or []
    assert len(scores) == (s.seats if scores else 0)
    for parts, found in zip(scores, sources, strict=bool(sources)):
        for label, cards in found.items():                                               # tokens may add points too
            assert sum(source.points for source in cards) <= parts[label]
            assert all(source.cards for source in cards)
    assert {label for parts in scores for label in parts} <= set(title.texts["en"])


@every_title
def test_the_published_layout_is_only_appended_to(title: AnyTitle) -> None:
    assert not difference(title)


@every_title
def test_its_schemas_are_json(title: AnyTitle) -> None:
    assert msgspec.json.encode(schemas(title))


@every_title
def test_its_windows_and_bots_are_there(title: AnyTitle) -> None:
    assert set(windows(title)) <= set(title.scripts) and "random" in bots(title)


@every_title
def test_the_story_says_so_where_an_answer_is_forced(title: AnyTitle) -> None:
    forced = [row for script in title.scripts.values() for row in script.rows if isinstance(row, Ask) and row.answer_if_forced]
    assert (title.sentences.get("forced") == (SEAT,)) is bool(forced)


@few_cases
def test_a_game_of_defaults_ends_and_stands_at_every_moment(case: Case, seed: int) -> None:
    """`make prove ONLY=absence` plays at all tables."""
    events, outcome = absence.play(case, seed, range(case.seats))
    assert events <= absence.MOST and len(outcome) == case.seats


@few_cases
def test_a_game_goes_on_whoever_vanishes_from_it(case: Case, seed: int) -> None:
    absence.play(case, seed, (), leave=0.02)


@every_title
def test_every_icon_that_is_named_is_drawn_and_no_other(title: AnyTitle) -> None:
    assert {*title.icons.names.values()} == {*title.icons.paths}
    assert all(path.startswith(("M", "m")) for path in title.icons.paths.values())
    facts = {fact for card in title.cards for fact in card.facts}
    assert {*title.face.pictured} <= facts
    bare = {card.kind for card in title.cards if not title.icons.of(card.kind, card.facts, title.face.pictured)}
    assert not bare or not title.icons.names


def test_a_kind_without_an_icon_shows_those_of_what_is_printed_on_it() -> None:
    icons = Icons({"boat": "sail", "red": "heart", "king": "crown"}, {"sail": "M1", "heart": "M2", "crown": "M3"})
    facts = {"rank": "king", "colour": "red", "cost": 4}
    assert icons.of("boat", facts, ["rank", "colour"]) == ["sail"]
    assert icons.of("king_red", facts, ["rank", "colour", "set"]) == ["crown", "heart"]
    assert icons.of("unheard_of", facts, ["cost"]) == []


def test_a_title_may_have_no_icons() -> None:
    assert Icons(**read_json_files("ludarium_engine.bots", "icons")) == Icons()
