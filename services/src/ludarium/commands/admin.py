"""`ludarium admin`: moderation from the terminal, recorded in the audit log."""
from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Literal, NamedTuple

import msgspec
import typer

from ludarium.accounts.access import Role
from ludarium.accounts.accounts import Accounts
from ludarium.commands.running import fail, open_database, run, store_at
from ludarium.moderation.acts import MAX_REASON_LENGTH, MAX_SECONDS, Moderation, NewAct, PlayerActKind
from ludarium.moderation.lookups import PlayerLookup
from ludarium.moderation.table_acts import NewTableAct, apply_table_act
from ludarium.platform import database as pools
from ludarium.platform import ids
from ludarium.platform.config import read_config
from ludarium.platform.entropy import SystemEntropy
from ludarium.platform.problems import Problem
from ludarium.tables.service import Tables

Who = Annotated[str, typer.Argument(help="a login, or a player's id")]


def check_reason(why: str) -> str:
    if not 1 <= len(why) <= MAX_REASON_LENGTH:
        raise typer.BadParameter(f"a reason has 1 to {MAX_REASON_LENGTH} letters")
    return why


Why = Annotated[str, typer.Argument(callback=check_reason, help="the reason, for the audit log; the player concerned sees it")]
SPAN_PATTERN = re.compile(r"(\d{1,4})([mhd])")
ENTROPY = SystemEntropy()
SECONDS = {"m": 60, "h": 3600, "d": 86_400}
admin = typer.Typer(name="admin", no_args_is_help=True, help="Moderate: roles, bans, tables, reports and the audit log.")


class Services(NamedTuple):
    url: str
    accounts: Accounts
    moderation: Moderation
    people: PlayerLookup


class NoPublisher:
    """A publisher that sends nothing, since servers poll the log twice a second."""

    def watched(self, table: str, audiences: Collection[int]) -> Collection[int]:
        return ()

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[int, bytes]) -> None:
        return


def register(app: typer.Typer) -> None:
    app.add_typer(admin)


# --- people -----------------------------------------------------------------------------------------------------------
@admin.command()
def grant(who: Who, role: Annotated[Literal["player", "organiser", "moderator", "admin"], typer.Argument()]) -> None:
    """Give an account a role: player, organiser, moderator or administrator."""

    async def granted(services: Services) -> None:
        wanted: Role = role
        await services.moderation.grant(await player_id(services, who), wanted, ids.new_id(ENTROPY, "act"))

    run_work(granted)


@admin.command()
def enrol(who: Who) -> None:
    """Print a code for staff to add a passkey, valid once and for an hour."""

    async def enrolled(services: Services) -> None:
        typer.echo(await services.moderation.enrol(await player_id(services, who), ids.new_id(ENTROPY, "act")))

    run_work(enrolled)


@admin.command()
def find(text: Annotated[str, typer.Argument(help="an id, or the beginning of a login or name")] = "") -> None:
    """Find players by id, login or name."""
    print_found(lambda services: services.people.find(text))


@admin.command()
def warn(who: Who, why: Why) -> None:
    """Warn a player."""
    run_player_act(who, "warn", why)


@admin.command()
def mute(who: Who, span: Annotated[str, typer.Argument(help="30m, 12h, 7d")], why: Why) -> None:
    """Mute a player for a time; 0m unmutes."""
    run_timed_act(who, "mute", "unmute", span, why)


@admin.command()
def ban(who: Who, span: Annotated[str, typer.Argument(help="30m, 12h, 7d")], why: Why) -> None:
    """Ban a player for a time; 0m lifts the ban."""
    run_timed_act(who, "ban", "unban", span, why)


@admin.command()
def rename(who: Who, name: str, why: Why) -> None:
    """Rename a player."""
    run_player_act(who, "rename", why, name=name)


@admin.command()
def revoke(who: Who, why: Why) -> None:
    """End all tokens of a player, and of the player's bots."""
    run_player_act(who, "revoke", why)


# --- tables and the service -------------------------------------------------------------------------------------------
@admin.command()
def close(table: str, why: Why) -> None:
    """Close a table. A waiting table is removed, a running game ends as it stands."""
    end_table(table, "close", why)


@admin.command()
def void(table: str, why: Why) -> None:
    """End a table without a result."""
    end_table(table, "void", why)


@admin.command()
def drain(state: Annotated[Literal["on", "off"], typer.Argument()], why: Why) -> None:
    """Stop opening new tables, or allow it again."""
    act: Literal["drain", "undrain"] = "drain" if state == "on" else "undrain"
    run_work(lambda services: services.moderation.record(None, act, ids.new_id(ENTROPY, "act"), why))


# --- reports and audit ------------------------------------------------------------------------------------------------
@admin.command()
def reports() -> None:
    """Print the open reports."""
    print_found(lambda services: services.people.reports(False, None))


@admin.command()
def audit() -> None:
    """Print the audit log, the newest act first."""
    print_found(lambda services: services.moderation.acts())


# --- helpers ----------------------------------------------------------------------------------------------------------
def run_player_act(who: str, act: PlayerActKind, why: str, seconds: int | None = None, name: str | None = None) -> None:
    async def work(services: Services) -> None:
        player = await player_id(services, who)
        await services.moderation.act(None, player, NewAct(act, why, seconds, name), ids.new_id(ENTROPY, "act"))

    run_work(work)


def run_timed_act(who: str, act: PlayerActKind, back: PlayerActKind, span: str, why: str) -> None:
    seconds = parse_span(span)
    run_player_act(who, act, why, seconds) if seconds else run_player_act(who, back, why)


def parse_span(span: str) -> int:
    """Return the seconds in a time such as 30m, 12h or 7d."""
    found = SPAN_PATTERN.fullmatch(span)
    if found is None:
        raise typer.BadParameter(f"{span}: a time is written 30m, 12h or 7d")
    return min(int(found[1]) * SECONDS[found[2]], MAX_SECONDS)


def end_table(table: str, act: Literal["close", "void"], why: str) -> None:
    async def work(services: Services) -> None:
        async with await store_at(services.url, read_config()) as store:
            tables = Tables(store, NoPublisher(), ENTROPY)
            await tables.server_clock.learn()
            await apply_table_act(tables, services.moderation, services.accounts, None, table, NewTableAct(act, why), None)
            await tables.close()

    run_work(work)


def print_found(ask: Callable[[Services], Awaitable[Sequence[msgspec.Struct]]]) -> None:
    """Print one JSON object per line."""

    async def work(services: Services) -> None:
        for found in await ask(services):
            typer.echo(msgspec.json.encode(found).decode())

    run_work(work)


def run_work(work: Callable[[Services], Awaitable[None]]) -> None:
    run(run_with_services(work))


async def run_with_services(work: Callable[[Services], Awaitable[None]]) -> None:
    async with open_services() as services:
        try:
            await work(services)
        except Problem as problem:
            fail("; ".join(filter(None, [problem.kind.title, problem.detail, *(error.detail for error in problem.errors)])))


@asynccontextmanager
async def open_services() -> AsyncIterator[Services]:
    async with open_database() as url, pools.database(url, pools.ACCOUNTS) as base:
        accounts = Accounts(base, ENTROPY)
        yield Services(url, accounts, Moderation(base, accounts.tokens), PlayerLookup(base))


async def player_id(services: Services, who: str) -> str:
    """Return the id of a player, given by id or login."""
    if ids.is_id(who):
        return who
    found = [each.id for each in await services.people.find(who) if each.login == who.casefold()]
    return found[0] if found else fail(f"There is no account {who}.")
