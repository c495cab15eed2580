"""A gateway in a process of its own, on uvloop: `python -m benchmarks.live.gateway REDIS_URL` prints its port.

Gateway, hub and their way from Valkey are the product's; only the log behind them is that of the tests' house, so that
nothing but sockets costs this process anything.
"""
import asyncio
import sys

import msgspec
import uvloop

from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import UNLIMITED
from ludarium.platform.entropy import SystemEntropy
from tests.live.house import House

PATIENT = msgspec.structs.replace(UNLIMITED, heartbeat=3600.0)
"""No pings: the crowd only counts bytes, and would answer none."""


async def main(redis_url: str) -> None:
    async with (
        House(redis_url, redis_url) as house,
        Hub(redis_url, house, SystemEntropy()) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports, PATIENT) as gateway,
    ):
        print(gateway.port, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
