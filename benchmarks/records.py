"""Measure searches in a million finished games, with a page of 50 games each.

Our own cache is empty at the start.
"""
from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random
from time import perf_counter

import asyncpg

from benchmarks.eventstore import fresh_store
from benchmarks.rows import Row
from ludarium.platform import ids
from ludarium.platform.database import Database, database
from ludarium.platform.entropy import SystemEntropy
from ludarium.platform.schema_check import migrated
from ludarium.projections import records
from ludarium.projections.records import RecordQuery, Sort

GAMES, PEOPLE = 1_000_000, 20_000
BUSY = 2_000
"""The number of games of the player in the searches."""
ASKED, MOST_MS = 200, 50.0
RULESETS = ("game-of-kingdoms", "kemet", "valeria", "valley-of-the-kings", "lights-in-the-fog")
ADA, CUP = ids.encode(ids.new_id(SystemEntropy(), __name__)), ids.encode(ids.new_id(SystemEntropy(), __name__))
BOARDS = 100
"""One in this many games, so 10,000, belongs to the tournament in the searches."""
# The ids of tables and people are hashes. Paging takes them from their column.
FILL_GAMES = """
    insert into records.games (id, listed_at, ruleset, visibility, body)
    select md5('g' || n)::uuid, t, r, case when n % 20 = 0 then 'private' else 'public' end, jsonb_build_object(
      'table', jsonb_build_object('id', md5('g' || n), 'ruleset', r, 'options', '{}'::jsonb, 'status', 'over', 'creator', 'x',
        'clock', null, 'rated', false, 'seats', (select jsonb_agg(jsonb_build_object(
          'seat', s, 'player', case when n % 3 = 0 and s > 0 then null when n % $3 = 1 and s = 0 then $4
                                    else md5('p' || (n * 7 + s * 13) % $2) end,
          'bot', case when n % 3 = 0 and s > 0 then 'simple' end)) from generate_series(0, 1 + n % 3) s)),
      'outcome', case when n % 50 = 21 then null else (select jsonb_agg(1 + (s + n) % (2 + n % 3))
                                                      from generate_series(0, 1 + n % 3) s) end,
      'events', 60 + n::bigint * 7919 % 900, 'ended_at', to_char(t, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from (select n, ($5::text[])[1 + n % 5] as r, timestamp '2024-01-01' + n * interval '1 minute' as t
          from generate_series(1, $1::int) n) g"""
FILL_SEATS = """
    insert into seats.games (player, id, ended, events, ruleset, seats, place, winners, bots, programs)
    select s ->> 'player', g.id, g.ended, g.events, g.ruleset, g.seats, (g.body -> 'outcome' ->> (s ->> 'seat')::int)::int,
      g.winners, g.bots, g.programs
    from records.games g, jsonb_array_elements(g.body -> 'table' -> 'seats') s
    where g.visibility = 'public' and s ->> 'player' is not null on conflict do nothing"""
FILL_BOARDS = """
    insert into boards.games select $1, id, ended, events, ruleset, seats, winners, bots, programs from records.games
    where visibility = 'public' and extract(epoch from listed_at - '2024-01-01')::bigint / 60 % $2 = 1"""
SEARCHES: dict[str, tuple[RecordQuery, Sort]] = {
    "all, newest": (RecordQuery(), "newest"),
    "all, longest": (RecordQuery(), "longest"),
    "a ruleset": (RecordQuery(ruleset="kemet"), "newest"),
    "a ruleset, shortest": (RecordQuery(ruleset="kemet"), "shortest"),
    "a ruleset in a month": (RecordQuery(ruleset="valeria", since="2024-06-01", until="2024-07-01"), "newest"),
    "a ruleset, four seats, people only": (RecordQuery(ruleset="kemet", seats=4, bot="none"), "newest"),
    "a ruleset, with a bot, without places": (RecordQuery(ruleset="kemet", bot="simple", outcome="none"), "newest"),
    "a tournament": (RecordQuery(tournament=CUP), "newest"),
    "a tournament's games with bots, longest": (RecordQuery(tournament=CUP, bot="simple"), "longest"),
    "games of 300 to 310 events, longest": (RecordQuery(length=(300, 310)), "longest"),
    "a player": (RecordQuery(ADA), "newest"),
    "a player's games of a tournament": (RecordQuery(ADA, tournament=CUP), "newest"),
    "a player's won games of a ruleset": (RecordQuery(ADA, ruleset="kemet", outcome="won"), "newest"),
    "a player's longest lost games": (RecordQuery(ADA, outcome="lost"), "longest"),
    "a player's games with bots in a year": (RecordQuery(ADA, bot="simple", since="2025-01-01", until="2026-01-01"), "newest"),
}


async def rows() -> AsyncIterator[Row]:
    async with fresh_store() as (_, dsn):
        await migrated(dsn)
        await fill(dsn)
        async with database(dsn) as base:
            luck = Random(1)
            for name, (wanted, sort) in SEARCHES.items():
                times = sorted([await asked(base, wanted, sort, luck) for _ in range(ASKED)])
                p99 = times[ASKED * 99 // 100]
                yield Row(
                    name=f"records: {name}, of {GAMES:,} games, p99", value=round(p99, 1), unit="ms",
                    beside=f"median {times[ASKED // 2]:.1f} ms", ratio=p99 / MOST_MS, goal=f"<= {MOST_MS:.0f} ms",
                    holds=p99 <= MOST_MS,
                )  # fmt: skip


async def fill(dsn: str) -> None:
    owner = await asyncpg.connect(dsn)
    await owner.execute(FILL_GAMES, GAMES, PEOPLE, GAMES // BUSY, ADA, [*RULESETS])
    await owner.execute(FILL_SEATS)
    await owner.execute(FILL_BOARDS, ids.decode(CUP), BOARDS)
    for schema in ("records", "seats", "boards"):
        await owner.execute(f"vacuum analyze {schema}.games")
    await owner.close()


async def asked(base: Database, wanted: RecordQuery, sort: Sort, luck: Random) -> float:
    """Request a page and return the milliseconds that it took.

    Half of the pages are from the middle of the list, at random.
    """
    after = None
    if luck.random() < 0.5:
        some = await base.row("select md5('g' || $1::int)::uuid as id", luck.randrange(GAMES // 2, GAMES))
        after = ids.encode(some["id"]) if some else None
    start = perf_counter()
    await records.finished_page(base, wanted, sort, after, 50)
    return (perf_counter() - start) * 1e3
