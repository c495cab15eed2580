"""`ludarium admin`: what an operator does at the machine, in the audit like what moderators do."""
from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Annotated, Literal, NamedTuple

import msgspec
import typer

from ludarium.accounts.access import Role
from ludarium.accounts.accounts import Accounts
from ludarium.commands.running import database, fail, run, store_at
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


def reasoned(why: str) -> str:
    if not 1 <= len(why) <= MAX_REASON_LENGTH:
        raise typer.BadParameter(f"a reason has 1 to {MAX_REASON_LENGTH} letters")
    return why


Why = Annotated[str, typer.Argument(callback=reasoned, help="the reason, for the audit; told to whom it concerns")]
SPAN = re.compile(r"(\d{1,4})([mhd])")
ENTROPY = SystemEntropy()
SECONDS = {"m": 60, "h": 3600, "d": 86_400}
admin = typer.Typer(name="admin", no_args_is_help=True, help="Moderate: roles, bans, tables, reports, the audit.")


class House(NamedTuple):
    url: str
    accounts: Accounts
    moderation: Moderation
    people: PlayerLookup


class Quiet:
    """Tells nobody: the processes that serve look after the log themselves, twice a second."""

    def watched(self, table: str, audiences: Collection[int]) -> Collection[int]:
        return ()

    async def publish(self, table: str, seq: int, prev: bytes, messages: Mapping[int, bytes]) -> None:
        return


def register(app: typer.Typer) -> None:
    app.add_typer(admin)


# --- people -----------------------------------------------------------------------------------------------------------
@admin.command()
def grant(who: Who, role: Annotated[Literal["player", "organiser", "moderator", "admin"], typer.Argument()]) -> None:
    """Make an account an organiser, a moderator, an administrator, or a player again."""

    async def granted(house: House) -> None:
        wanted: Role = role
        await house.moderation.grant(await player(house, who), wanted, ids.new_id(ENTROPY, "act"))

    done(granted)


@admin.command()
def enrol(who: Who) -> None:
    """Print a code with which a moderator or an administrator adds a passkey, once, within an hour."""

    async def enrolled(house: House) -> None:
        typer.echo(await house.moderation.enrol(await player(house, who), ids.new_id(ENTROPY, "act")))

    done(enrolled)


@admin.command()
def find(text: Annotated[str, typer.Argument(help="an id, or what a login or a name begins with")] = "") -> None:
    """Find people."""
    told(lambda house: house.people.find(text))


@admin.command()
def warn(who: Who, why: Why) -> None:
    """Tell somebody that it is enough."""
    acted(who, "warn", why)


@admin.command()
def mute(who: Who, span: Annotated[str, typer.Argument(help="30m, 12h, 7d")], why: Why) -> None:
    """Let somebody say nothing for a time; 0m takes it back."""
    timed(who, "mute", "unmute", span, why)


@admin.command()
def ban(who: Who, span: Annotated[str, typer.Argument(help="30m, 12h, 7d")], why: Why) -> None:
    """Keep somebody out for a time; 0m takes it back."""
    timed(who, "ban", "unban", span, why)


@admin.command()
def rename(who: Who, name: str, why: Why) -> None:
    """Call somebody something else."""
    acted(who, "rename", why, name=name)


@admin.command()
def revoke(who: Who, why: Why) -> None:
    """End all tokens of somebody, and of their bots."""
    acted(who, "revoke", why)


# --- tables and the house ---------------------------------------------------------------------------------------------
@admin.command()
def close(table: str, why: Why) -> None:
    """End a table: one that waits goes away, a game ends as it stands."""
    ended(table, "close", why)


@admin.command()
def void(table: str, why: Why) -> None:
    """End a table without a result."""
    ended(table, "void", why)


@admin.command()
def drain(state: Annotated[Literal["on", "off"], typer.Argument()], why: Why) -> None:
    """Take no new tables, or take them again."""
    done(lambda house: house.moderation.record(None, "drain" if state == "on" else "undrain", ids.new_id(ENTROPY, "act"), why))


# --- what was done ----------------------------------------------------------------------------------------------------
@admin.command()
def reports() -> None:
    """What people have reported and nobody has closed."""
    told(lambda house: house.people.reports(False, None))


@admin.command()
def audit() -> None:
    """Who did what to whom, when and why; the newest first."""
    told(lambda house: house.moderation.acts())


# --- how --------------------------------------------------------------------------------------------------------------
def acted(who: str, act: PlayerActKind, why: str, seconds: int | None = None, name: str | None = None) -> None:
    async def work(house: House) -> None:
        await house.moderation.act(None, await player(house, who), NewAct(act, why, seconds, name), ids.new_id(ENTROPY, "act"))

    done(work)


def timed(who: str, act: PlayerActKind, back: PlayerActKind, span: str, why: str) -> None:
    seconds = seconds_of(span)
    acted(who, act, why, seconds) if seconds else acted(who, back, why)


def seconds_of(span: str) -> int:
    """Of 30m, 12h or 7d."""
    found = SPAN.fullmatch(span)
    if found is None:
        raise typer.BadParameter(f"{span}: a time is written 30m, 12h or 7d")
    return min(int(found[1]) * SECONDS[found[2]], MAX_SECONDS)


def ended(table: str, act: Literal["close", "void"], why: str) -> None:
    async def work(house: House) -> None:
        async with await store_at(house.url, read_config()) as store:
            tables = Tables(store, Quiet(), ENTROPY)
            await tables.server_clock.learn()
            await apply_table_act(tables, house.moderation, house.accounts, None, table, NewTableAct(act, why), None)
            await tables.close()

    done(work)


def told(ask: Callable[[House], Awaitable[Sequence[msgspec.Struct]]]) -> None:
    """One JSON object a line."""

    async def work(house: House) -> None:
        for found in await ask(house):
            typer.echo(msgspec.json.encode(found).decode())

    done(work)


def done(work: Callable[[House], Awaitable[None]]) -> None:
    run(at_house(work))


async def at_house(work: Callable[[House], Awaitable[None]]) -> None:
    async with opened() as house:
        try:
            await work(house)
        except Problem as problem:
            fail("; ".join(filter(None, [problem.kind.title, problem.detail, *(error.detail for error in problem.errors)])))


@asynccontextmanager
async def opened() -> AsyncIterator[House]:
    async with database() as url, pools.database(url, pools.ACCOUNTS) as base:
        accounts = Accounts(base, ENTROPY)
        yield House(url, accounts, Moderation(base, accounts.tokens), PlayerLookup(base))


async def player(house: House, who: str) -> str:
    """By a login, or an id."""
    if ids.is_id(who):
        return who
    found = [each.id for each in await house.people.find(who) if each.login == who.casefold()]
    return found[0] if found else fail(f"There is no account {who}.")
