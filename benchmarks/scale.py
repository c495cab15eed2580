"""Estimate the resources for a number of concurrent players, from measured costs.

Prices and costs are arguments, since they differ from one operator to the next:

    python -m benchmarks.scale --players 10000 --players 1000000 --core 20 --gib 3 --tb 80

docs/scale.md explains the basis of the model, and what has not been measured.
"""
from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import Annotated, NamedTuple

import typer

MONTH = 30 * 86_400
FULL = 0.5
"""The average use of a processor. A peak of twice the average then needs no queue."""
MIB_A_PROCESS, KIB_A_TABLE, KIB_A_SOCKET = 128, 10, 40
SOCKETS_A_PROCESS = 5000
MB_ARCHIVED = 122.0
"""MB of a million archived events with their bundles. In the log, with keys, they take 438. See docs/operations/figures.md."""
OURS, POSTGRES = 7.3, 2.4
"""Milliseconds per command, as measured by `make load`."""


HEADS = (
    "players", "commands a second", "our processes, a core each", "their memory, GiB", "sockets", "PostgreSQL's cores",
    "shards", "TB a month, archived", "price a month",
)  # fmt: skip


class Costs(NamedTuple):
    """The costs of commands, and how many of them players send.

    Attributes:
        ours: milliseconds of our processors per command, including pushes and reads.
        postgres: milliseconds of PostgreSQL's processors per command.
        pace: seconds between two commands of a player.
        seats: players at a table.
        watchers: sockets per player, in addition to the players' own.
    """

    ours: float
    postgres: float
    pace: float
    seats: float
    watchers: float


class Needs(NamedTuple):
    players: int
    commands: float
    processes: int
    gib: float
    sockets: int
    postgres_cores: int
    shards: int
    tb_a_month: float

    def price(self, core: float, gib: float, tb: float) -> float:
        """Return the monthly price of all cores, memory and disk."""
        return core * (self.processes + self.postgres_cores) + gib * self.gib + tb * self.tb_a_month


def needs(players: int, costs: Costs) -> Needs:
    """Estimate the resources for a number of players.

    One lock serialises the appends to a log, so a shard takes as many appends as one core can do at FULL.
    """
    commands = players / costs.pace
    sockets = ceil(players * (1 + costs.watchers))
    processes = max(2, ceil(commands * costs.ours / 1000 / FULL), ceil(sockets / SOCKETS_A_PROCESS))
    memory = processes * MIB_A_PROCESS * 1024 + players / costs.seats * KIB_A_TABLE + sockets * KIB_A_SOCKET
    postgres = commands * costs.postgres / 1000 / FULL
    events = commands * MONTH / 1e6
    return Needs(
        players, commands, processes, memory / 2**20, sockets, max(2, ceil(postgres)), max(1, ceil(postgres)),
        events * MB_ARCHIVED / 1e6,
    )  # fmt: skip


def lines(rows: list[Needs], core: float, gib: float, tb: float) -> Iterator[str]:
    yield f"| {' | '.join(HEADS)} |"
    yield "|---" * len(HEADS) + "|"
    for row in rows:
        yield (
            f"| {row.players:,} | {row.commands:,.0f} | {row.processes:,} | {row.gib:,.1f} | {row.sockets:,} |"
            f" {row.postgres_cores:,} | {row.shards:,} | {row.tb_a_month:,.2f} | {row.price(core, gib, tb):,.0f} |"
        )


def main(
    players: Annotated[list[int], typer.Option(min=1)] = [10_000, 1_000_000],  # noqa: B006
    ours: Annotated[float, typer.Option(min=0.001, help="ms a command")] = OURS,
    postgres: Annotated[float, typer.Option(min=0.001, help="ms a command")] = POSTGRES,
    pace: Annotated[float, typer.Option(min=0.1, help="seconds between two commands of a player")] = 20.0,
    seats: Annotated[float, typer.Option(min=1)] = 3.0,
    watchers: Annotated[float, typer.Option(min=0)] = 0.5,
    core: Annotated[float, typer.Option(min=0, help="a month, in your money")] = 0.0,
    gib: Annotated[float, typer.Option(min=0, help="of memory a month")] = 0.0,
    tb: Annotated[float, typer.Option(min=0, help="of disk a month")] = 0.0,
) -> None:
    costs = Costs(ours, postgres, pace, seats, watchers)
    print(*lines([needs(count, costs) for count in players], core, gib, tb), sep="\n")


if __name__ == "__main__":
    typer.run(main)
