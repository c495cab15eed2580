"""The plan of a tournament: stages, tables, and conditions of entry.

A published format.
"""
from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ludarium.platform.problems import Problem
from ludarium.tables.model.opening import checked_table
from ludarium.tables.model.rulesets import ruleset_named
from ludarium.tables.schemas import NewTable, PoliciesBody
from ludarium_engine.kernel.decoding import converter
from ludarium_engine.kernel.title import no_scores
from ludarium_engine.registry import titles
from ludarium_pairing.checks import check_settings
from ludarium_pairing.errors import Refused
from ludarium_pairing.model import WIN, Settings

Format = Literal["swiss", "round-robin", "single-elimination", "double-elimination", "pods", "lives"]
Scheme = Literal["place", "5310", "share", "duplicate"]
Deals = Literal["own", "shared"]
Given = Literal["win", "mean", "none"]
TieBreak = Literal[
    "buchholz", "buchholz-cut-1", "buchholz-median", "sonneborn-berger", "opponents-win", "head-to-head", "game-points",
    "wins", "seed",
]  # fmt: skip
Entrance = Literal["open", "code", "listed"]
BY_POINTS = ("share", "duplicate")
"""Schemes that compare points of games; with places alone, everyone would score the same."""
BY_ROUNDS = ("swiss", "round-robin")
"""Formats with a fixed number of rounds; the others end with a winner."""
OURS = ("rounds", "through", "groups", "deals", "round_time", "overtime")
"""Fields of a stage that the pairing library does not know."""
MOST_ROUNDS, MOST_STAGES, MOST_ENTRIES, MOST_GAMES, MOST_GROUPS = 50, 5, 2000, 9, 100
DAY = 86_400
encode = msgspec.msgpack.Encoder(order="deterministic").encode


class StageBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A stage of a tournament; docs/tournaments.md explains formats and points.

    - `seats` is the number of seats of a table. Tables can also have from `least` to `most` seats.
    - `rounds` is the number of rounds of a swiss or round robin.
    - `through` is how many entries advance to this stage from the standings of the stage before; null in the first
      stage.
    - `groups` is the number of groups of a swiss or round robin, drawn by seed. The same number of each group advances
      to the next stage, filled up with the best of all others.
    - `best_of` is the number of games of a match between two players, who exchange seats after each game. Once a player
      has won more than half of the games, the match ends.
    - `deals` says whether each table has its own deal, or all tables of a round share one. With the scheme `duplicate`,
      equal seats are compared.
    - `round_time` is the number of seconds from the start of a round to its end; null means no limit. After that, each
      table has `overtime` seconds to finish the current turn. Then the game is decided by its current position.
    """

    format: Format
    seats: Annotated[int, Meta(ge=2, le=6)] = 2
    least: Annotated[int, Meta(ge=2, le=6)] | None = None
    most: Annotated[int, Meta(ge=2, le=6)] | None = None
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    through: Annotated[int, Meta(ge=2, le=MOST_ENTRIES)] | None = None
    short: Literal["low", "high"] = "low"
    scheme: Scheme = "place"
    bye: Given = "win"
    void: Given = "mean"
    advance: Annotated[int, Meta(ge=1, le=5)] = 1
    lives: Annotated[int, Meta(ge=1, le=9)] = 2
    groups: Annotated[int, Meta(ge=2, le=MOST_GROUPS)] | None = None
    best_of: Annotated[int, Meta(ge=1, le=MOST_GAMES)] = 1
    reset: bool = True
    seating: Literal["balanced", "seeds"] = "balanced"
    deals: Deals = "own"
    tie_breaks: Annotated[tuple[TieBreak, ...], Meta(max_length=9)] = ("buchholz", "head-to-head", "game-points", "seed")
    round_time: Annotated[int, Meta(ge=1, le=60 * DAY)] | None = None
    overtime: Annotated[int, Meta(ge=0, le=7 * DAY)] = 300


class TablesBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The game that is played at the tables.

    `policies` applies to spectators, clocks and absences. The tournament itself decides about seats and starts.
    """

    ruleset: Annotated[str, Meta(max_length=64)]
    options: dict[str, Any] = {}
    policies: PoliciesBody = PoliciesBody()


Shown = Annotated[int, Meta(ge=-10_000, le=10_000)]
"""A rating as shown to players."""


class LimitsBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Limits for players who enter by themselves.

    They are compared with the ratings for this ruleset and table size, and with the number of finished rated games.
    Players without a rating have 0.
    """

    least_rating: Shown | None = None
    most_rating: Shown | None = None
    games: Annotated[int, Meta(ge=0, le=1000)] = 0


class PlanBody(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """The plan of a tournament.

    - `entrance` says who can enter: anyone, players with the `code`, or only players listed by a host. `guests` lets
      guests enter.
    - `places` is the number of places. Entries beyond it are reserves, who play while others are missing.
    - `late_rounds` is the number of rounds after which players can still join. They get `late_points` units (120 are a
      win) for each of these rounds.
    - `starts_at` is in seconds since 1970. `check_in` is the number of seconds before it in which players must check
      in; 0 for no check-in.
    - `wait` is the number of seconds from a round's publication until its games start, even if players are not ready.
    - `grace` is the number of seconds for the first action of a player who was not ready. After that, the absence
      policy applies.
    - `limits` restricts who can enter; null means no limits.
    """

    tables: TablesBody
    stages: Annotated[tuple[StageBody, ...], Meta(min_length=1, max_length=MOST_STAGES)]
    entrance: Entrance = "open"
    guests: bool = True
    places: Annotated[int, Meta(ge=2, le=MOST_ENTRIES)] | None = None
    late_rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0
    late_points: Annotated[int, Meta(ge=0, le=WIN)] = 0
    starts_at: Annotated[int, Meta(ge=0, lt=2**33)] | None = None
    check_in: Annotated[int, Meta(ge=0, le=7 * DAY)] = 0
    wait: Annotated[int, Meta(ge=0, le=7 * DAY)] = 300
    grace: Annotated[int, Meta(ge=0, le=7 * DAY)] = 60
    limits: LimitsBody | None = None


def settings_of(stage: StageBody, places: int | None = None) -> Settings:
    """Return the stage's settings for the pairing library.

    Args:
        places: the number of participants up to which reserves of the first stage may play.
    """
    told = {name: getattr(stage, name) for name in stage.__struct_fields__ if name not in OURS}
    return Settings(**told, places=places)


plan_body = converter(PlanBody)


def new_plan(plan: PlanBody) -> PlanBody:
    """Check a new plan.

    Older plans were stored before the check for `no-game-points` was introduced, and remain valid.

    Raises:
        Problem: `no-game-points`, and the problems of `checked_plan`.
    """
    checked = checked_plan(plan)
    scheme = next((stage.scheme for stage in plan.stages if stage.scheme in BY_POINTS), None)
    if scheme and titles()[plan.tables.ruleset].scores is no_scores:
        what = f"scheme: {plan.tables.ruleset} ends with places alone, and {scheme} compares points: choose place or 5310"
        raise Problem("no-game-points", what)
    return checked


def checked_plan(plan: PlanBody) -> PlanBody:
    """Check a plan, and return it with all options of the game.

    Raises:
        Problem: `invalid-tournament`, and the problems of `checked_table`.
    """
    title = ruleset_named(plan.tables.ruleset)
    wrong = next((what for is_wrong, what in flaws(plan) if is_wrong), None)
    if wrong:
        raise Problem("invalid-tournament", wrong)
    for stage in plan.stages:
        check_sizes(title.seats, settings_of(stage))
    wanted = checked_table(table_of(plan, min(settings_of(stage).fewest for stage in plan.stages)), "/plan/tables")
    tables = msgspec.structs.replace(plan.tables, options=wanted.options)
    return msgspec.structs.replace(plan, tables=tables)


def is_unchanged_by_checking(plan: PlanBody) -> bool:
    """Return whether checking a plan leaves all its written options unchanged.

    Values are compared in their encoded form, since a tuple of the title is a list in the event. Options that were added to
    the title later are missing in the plan, and have their defaults.

    Raises:
        Problem: the problems of `checked_plan`.
    """
    checked = checked_plan(plan).tables.options
    written = plan.tables.options
    return written.keys() <= checked.keys() and encode({name: checked[name] for name in written}) == encode(written)


def flaws(plan: PlanBody) -> list[tuple[bool, str]]:
    first, *later = plan.stages
    return [
        (first.through is not None, "through: nobody comes from a stage before the first"),
        (any(stage.through is None for stage in later), "through: a later stage says how many come into it"),
        (any((stage.rounds is None) == (stage.format in BY_ROUNDS) for stage in plan.stages),
         "rounds: a swiss or round robin has so many, the other formats end by themselves"),
        (any(stage.scheme == "duplicate" and stage.deals != "shared" for stage in plan.stages),
         "scheme: duplicate compares tables of a shared deal"),
        (any(stage.best_of > 1 and (stage.seats, stage.most or 2, stage.deals) != (2, 2, "own") for stage in plan.stages),
         "best_of: a match is of two at a table, and each of its games has a deal of its own"),
        (any(stage.best_of > 1 and stage.scheme not in ("place", "5310") for stage in plan.stages),
         "best_of: a match gives points by place"),
        *group_flaws(plan),
        (bool(plan.check_in) and plan.starts_at is None, "check_in: it is before starts_at, which is not told"),
        (plan.limits is not None and is_empty(plan.limits), "limits: nobody is that good and that bad"),
        (plan.tables.policies.rated and plan.guests, "guests: they have no rating, and these tables are rated"),
    ]  # fmt: skip


def is_empty(limits: LimitsBody) -> bool:
    least, most = limits.least_rating, limits.most_rating
    return least is not None and most is not None and least > most


def group_flaws(plan: PlanBody) -> list[tuple[bool, str]]:
    first, *later = plan.stages
    into = [(stage.groups, after.through or 0) for stage, after in pairwise(plan.stages) if stage.groups]
    return [
        (any(stage.groups and stage.format not in BY_ROUNDS for stage in plan.stages),
         "groups: of a swiss or round robin"),
        (plan.stages[-1].groups is not None, "groups: another stage comes behind them"),
        (any(through < groups for groups, through in into), "through: at least one of each group goes on"),
        (any(stage.groups and (stage.through or 0) < 2 * stage.groups for stage in later), "groups: they are of two at least"),
        (first.groups is not None and plan.late_rounds > 0, "late_rounds: nobody joins groups that have begun"),
    ]  # fmt: skip


def check_sizes(seats: range, settings: Settings) -> None:
    """Raise Problem `invalid-tournament` if the ruleset lacks these table sizes."""
    try:
        check_settings(settings)
    except Refused as refused:
        raise Problem("invalid-tournament", refused.detail) from refused
    for size in range(settings.fewest, settings.greatest + 1):
        if size not in seats:
            raise Problem("invalid-tournament", f"{settings.format}: the ruleset is not for {size} at a table")


Delay = tuple[int, int]
"""Delay of spectators: events and seconds."""


def table_of(plan: PlanBody, seats: int, delay: Delay = (0, 0)) -> NewTable:
    """Return the settings of a tournament table, which no one can join or start early.

    Args:
        delay: the spectators' delay as (events, seconds), which replaces that of the plan unless it is (0, 0).
    """
    watched = plan.tables.policies.spectators
    if any(delay) and watched.who in ("everybody", "delayed"):
        watched = msgspec.structs.replace(watched, who="delayed", events=delay[0], seconds=delay[1])
    policies = msgspec.structs.replace(
        plan.tables.policies, spectators=watched, join="invited", auto_start=False, order="chosen", substitutes=False,
        expires=30 * DAY, undo="none",
    )  # fmt: skip
    return NewTable(plan.tables.ruleset, seats, plan.tables.options, policies)
