"""Whose a connection is: the peer's, or whom a proxy in front says that it speaks for."""

from websockets.asyncio.server import ServerConnection
from websockets.http11 import Request


def address_of(connection: ServerConnection, proxies: str, request: Request | None = None) -> str:
    """`proxies`: whose X-Forwarded-For is believed, separated by commas; `*`: everybody's."""
    request = request or connection.request
    peer = str(connection.remote_address[0])
    trusted = {name.strip() for name in proxies.split(",")}
    told = request.headers.get_all("X-Forwarded-For") if request is not None else []
    hops = [hop.strip() for hop in ",".join(told).split(",") if hop.strip()]
    while hops and ("*" in trusted or peer in trusted):
        peer = hops.pop()
    return peer
