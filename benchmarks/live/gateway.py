"""Run a gateway in a process of its own on uvloop; it prints its port.

    python -m benchmarks.live.gateway REDIS_URL

Gateway, hub and their path from Valkey are those of the product. Only the log is replaced, by the tests' `House`, so that
this process spends CPU on nothing but sockets.
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
"""Limits without pings, because a crowd only counts bytes and does not answer pings."""


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
