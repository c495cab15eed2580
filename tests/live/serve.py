"""Run a gateway in front of the minimal table service.

Usage: `python -m tests.live.serve LOG_URL REDIS_URL`.
"""

import asyncio
import signal
import sys

import uvloop

from ludarium.live.gateway import Gateway
from ludarium.live.hub import Hub
from ludarium.live.limits import LiveLimits
from tests.live.house import House
from tests.support.entropy import ENTROPY


async def main(log_url: str, redis_url: str) -> None:
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    async with (
        House(log_url, redis_url) as house,
        Hub(redis_url, house, ENTROPY) as hub,
        Gateway("127.0.0.1", 0, hub, house.ports, LiveLimits(messages=(1000, 1000), per_address=1000)) as gateway,
    ):
        print(gateway.port, flush=True)
        await stop.wait()


if __name__ == "__main__":
    uvloop.run(main(*sys.argv[1:]))
