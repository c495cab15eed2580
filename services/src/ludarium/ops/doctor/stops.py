"""Checks for conditions that keep PostgreSQL from completing commits.

This can be a missing standby, or a lock of another session.
"""
from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Collection
from typing import NamedTuple, TypeAlias

import asyncpg

from ludarium.ops.doctor.findings import Finding, ok, warning, wrong

Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"
LONG_WAIT = 2.0
"""Seconds after which a wait is reported; healthy ones take milliseconds."""
CHECKS, PAUSE = 6, 0.5
"""How often a short wait is checked again, and the seconds in between."""
HELP_PAGE = "docs/operations/stalled.md"
# PostgreSQL hides the waits of other logins from a login without pg_read_all_stats; all processes of Ludarium have one login.
COMMITS = """
    select count(*) as number, max(extract(epoch from clock_timestamp() - query_start))::float8 as longest
    from pg_stat_activity where wait_event = 'SyncRep' and query_start < clock_timestamp() - $1 * interval '1 second'"""
STANDBYS = """
    select current_setting('synchronous_standby_names') as names,
           (select coalesce(array_agg(application_name order by 1), '{}') from pg_stat_replication) as connected"""
LOCKS = """
    select waiting.pid, waiting.seconds, coalesce(holder.pid, 0) as holder,
           coalesce(nullif(holder.application_name, ''), 'a session') || ' of ' || coalesce(holder.usename, 'nobody') as name
    from (
      select pid, max(extract(epoch from clock_timestamp() - waitstart))::float8 as seconds
      from pg_locks where not granted and waitstart is not null
        and (database is null or database = (select oid from pg_database where datname = current_database()))
      group by pid
    ) waiting
    cross join lateral unnest(pg_blocking_pids(waiting.pid)) as blocker (pid)
    left join pg_stat_activity holder on holder.pid = blocker.pid
    where not exists (select from pg_locks held where held.pid = blocker.pid and not held.granted)
      and holder.wait_event is distinct from 'SyncRep'
    order by waiting.seconds desc limit 1"""
STANDBY_NAMES = re.compile(r"\s*(?:(?P<how>FIRST|ANY)\s+)?(?:(?P<number>\d+)\s*\()?(?P<names>[^()]*)\)?\s*", re.IGNORECASE)


class RequiredStandbys(NamedTuple):
    """The standbys that commits wait for: `number` of them with these names.

    The name `*` stands for any name.
    """

    number: int
    names: Collection[str]

    def among(self, connected: Collection[str]) -> int:
        return sum("*" in self.names or name.lower() in self.names for name in connected)


async def check_waits(connection: Connection) -> AsyncIterator[Finding]:
    await connection.execute("set role none")   # the role of the service may not see what its login's sessions wait for
    yield await check_commits(connection)
    yield await check_standbys(connection)
    yield await check_locks(connection)


async def check_commits(connection: Connection) -> Finding:
    row = await connection.fetchrow(COMMITS, LONG_WAIT)
    assert row is not None                      # aggregates have a row
    if row["number"]:
        detail = f"{row['number']} wait for a synchronous standby, the longest for {row['longest']:.0f} s"
        return wrong("commits", detail, f"Repair the standby, or take it out of synchronous_standby_names: {HELP_PAGE}.")
    return ok("commits", "none waits for a standby")


async def check_standbys(connection: Connection) -> Finding:
    """Check that the standbys that commits wait for are connected."""
    row = await connection.fetchrow(STANDBYS)
    assert row is not None                      # it comes from no table
    names, connected = row["names"], row["connected"]
    there = ", ".join(connected) or "none"
    if not names:
        return ok("standbys", f"{there}; commits wait for none")
    wanted = parse_standby_names(names)
    detail = f"connected: {there}; synchronous_standby_names is {names!r}"
    if (found := wanted.among(connected)) < wanted.number:
        return wrong("standbys", f"{detail}: no commit ends", f"Start the standby, or name those that are there: {HELP_PAGE}.")
    if found == wanted.number:
        return warning("standbys", f"{detail}: without one of them no commit ends", "Add a standby that may stand in for it.")
    return ok("standbys", detail)


def parse_standby_names(setting: str) -> RequiredStandbys:
    """Parse `synchronous_standby_names`."""
    found = STANDBY_NAMES.fullmatch(setting)
    if found is None:                           # PostgreSQL would not have taken it
        return RequiredStandbys(1, {"*"})
    names = {name.strip().strip('"').lower() for name in found["names"].split(",")}
    return RequiredStandbys(int(found["number"] or 1), names)


async def check_locks(connection: Connection) -> Finding:
    """Check whether a session blocks others for long.

    A short wait is checked again, since the service's own sessions give up after five seconds.
    """
    for _ in range(CHECKS):
        row = await connection.fetchrow(LOCKS)
        if row is None:
            break
        if row["seconds"] > LONG_WAIT:
            detail = f"process {row['pid']} of PostgreSQL waits for {describe_holder(row)}, {row['seconds']:.0f} s"
            return wrong("locks", detail, f"Find out what that session does, and end it: {HELP_PAGE}.")
        await asyncio.sleep(PAUSE)
    return ok("locks", "nobody waits for long")


def describe_holder(row: asyncpg.Record) -> str:
    if not row["holder"]:
        return "a prepared transaction (select * from pg_prepared_xacts)"
    return f"process {row['holder']} ({row['name']})"
