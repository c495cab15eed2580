"""Open a table: validate its settings, and make its first events."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from ludarium.platform.entropy import Entropy, Part
from ludarium.platform.problems import FieldError, Problem, pointer_of
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.events import AnyTitle, Deal, OpenedFor, TableOpened, UndoPolicy, Visibility
from ludarium.tables.model.hash_chain import SEED, StreamSecret, commitment, new_secret
from ludarium.tables.model.lifecycle_events import policies_event
from ludarium.tables.model.rulesets import ruleset_named
from ludarium.tables.schemas import NewTable, PoliciesBody, policies_of
from ludarium_engine.bots import bots
from ludarium_engine.kernel import Illegal, checked_options

Dealt = tuple[StreamSecret, Deal]


class Place(NamedTuple):
    """The place of a table in a tournament, stored in the table's first event."""

    tournament: bytes
    stage: int
    round: int
    board: int


def own_deal(entropy: Entropy, *name: Part) -> Dealt:
    """Draw the secret and the deal of a table that shares its deal with no other.

    Args:
        name: the name of the draw, as in `Entropy`.
    """
    secret = drawn_secret(entropy, *name)
    return secret, Deal(commitment(secret.deal))


def drawn_secret(entropy: Entropy, *name: Part) -> StreamSecret:
    drawn = entropy.draw(2 * SEED, "deal", *name)
    return new_secret(drawn[:SEED], drawn[SEED:])


def opening_events(
    creator: str, wanted: NewTable, dealt: Dealt, more: Sequence[AnyEvent], place: Place | None = None
) -> tuple[TableOpened, list[AnyEvent]]:
    """Return the first event, and all events by which a table is opened.

    The first event repeats those policies that early releases read from it.

    Args:
        creator: the player or tournament that opens the table.
        more: further events, which follow those of the opening.
        place: the table's place in a tournament, if it belongs to one.
    """
    secret, deal = dealt
    policies = policies_of(wanted.policies)
    visibility: Visibility = "private" if policies.spectators.are_private else "public"
    undo: UndoPolicy = "none" if policies.undo == "none" else "free"
    seed = commitment(secret.seed)
    first = (wanted.ruleset, wanted.options, wanted.seats, visibility, undo, creator, seed, deal)
    event = OpenedFor(*first, **place._asdict()) if place else TableOpened(*first)
    return event, [event, policies_event(policies), *more]


def checked_table(wanted: NewTable, at: str = "") -> NewTable:
    """Validate a table's settings, and return them with all options filled in.

    Args:
        wanted: the settings.
        at: the JSON pointer to the settings in the request body.

    Raises:
        Problem: `unknown-ruleset`, `invalid-seats`, `invalid-options`, and those of `check_policies`.
    """
    title = ruleset_named(wanted.ruleset)
    if wanted.seats not in title.seats:
        detail = f"{title.id} is for {title.seats.start} to {title.seats.stop - 1} seats"
        raise Problem("invalid-seats", detail, errors=[FieldError(f"{at}/seats", detail)])
    try:
        options = checked_options(title, wanted.options, wanted.seats)
    except Illegal as error:
        raise Problem("invalid-options", str(error), errors=[option_error(title, error, f"{at}/options")]) from error
    check_policies(title, wanted.policies, f"{at}/policies")
    return msgspec.structs.replace(wanted, options=option_data(options))


def option_error(title: AnyTitle, error: Illegal, at: str) -> FieldError:
    """Return the faulty option and what is wrong with it.

    A title's message begins with the name of the option.

    Args:
        at: the JSON pointer to the options in the request body.
    """
    if isinstance(error.__cause__, msgspec.ValidationError):
        found = pointer_of(error.__cause__)
        return FieldError(at + found.pointer, found.detail)
    name, _, detail = str(error).partition(": ")
    known = name in title.options.__struct_fields__
    return FieldError(f"{at}/{name}", detail) if known else FieldError(at, str(error))


def check_policies(title: AnyTitle, policies: PoliciesBody, at: str = "") -> None:
    """Validate a table's policies.

    Args:
        at: the JSON pointer to the policies in the request body.

    Raises:
        Problem: `invalid-policies`, `unknown-bot`.
    """
    wrong = next((why for is_wrong, why in policy_errors(policies) if is_wrong), None)
    if wrong:
        name, _, detail = wrong.partition(": ")
        raise Problem("invalid-policies", wrong, errors=[FieldError(f"{at}/{name}", detail)])
    if policies.rated and title.teams:
        detail = "games of teams are not rated"
        raise Problem("invalid-policies", f"rated: {detail}", errors=[FieldError(f"{at}/rated", detail)])
    if policies.absence.bot is not None and policies.absence.bot not in bots(title):
        raise Problem("unknown-bot")


def policy_errors(policies: PoliciesBody) -> list[tuple[bool, str]]:
    watched, absence = policies.spectators, policies.absence
    private, late = watched.who in ("named", "nobody"), bool(watched.events or watched.seconds)
    return [
        (private and policies.join == "anybody", "join: whom a table is not there for cannot sit down"),
        (late != (watched.who == "delayed"), "spectators: events and seconds are of those who watch with a delay"),
        (bool(watched.people) != (watched.who == "named"), "spectators: people are named where only they may watch"),
        ((absence.bot is not None) != (absence.remedy == "bot"), "absence: a bot is named where one stands in"),
        (policies.rated and absence.remedy == "bot", "absence: no bot plays where it is rated"),
    ]


def option_data(options: Any) -> dict[str, Any]:
    """Return a title's options as plain data, as events store them."""
    data: dict[str, Any] = msgspec.to_builtins(options)
    return data
