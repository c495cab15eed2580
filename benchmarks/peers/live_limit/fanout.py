"""Fan out messages like fanout.c, for machines without a C compiler.

This server does as little as asyncio allows. `python fanout.py` prints its port.
"""

import asyncio
import struct
from collections import defaultdict

MEMBERS: dict[int, list[asyncio.StreamWriter]] = defaultdict(list)


async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    kind, table = struct.unpack("<cI", await reader.readexactly(5))
    if kind == b"J":
        MEMBERS[table].append(writer)
        writer.write(b"J")
    else:
        await publish(reader)


async def publish(reader: asyncio.StreamReader) -> None:
    while not reader.at_eof():
        table, length = struct.unpack("<II", await reader.readexactly(8))
        content = await reader.readexactly(length)
        for member in MEMBERS[table]:
            member.write(content)


async def main() -> None:
    server = await asyncio.start_server(greet, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
