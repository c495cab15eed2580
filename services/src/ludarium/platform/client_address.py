"""Find the network address whose rate limits a request counts towards.

It is the address of the connection's peer or, if that is one of our proxies, the address of the proxy's client.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

HOME = 64
"""Number of leading bits of an IPv6 address that a provider assigns to a customer, who can choose the other bits."""


class Proxies:
    """The trusted proxies, whose X-Forwarded-For and X-Forwarded-Proto are believed."""

    def __init__(self, names: str) -> None:
        """Parse addresses and networks, separated by commas. Raises ValueError."""
        self.networks = [network_of(name.strip()) for name in names.split(",") if name.strip()]

    def __str__(self) -> str:
        return ",".join(map(str, self.networks))

    def __contains__(self, peer: str) -> bool:
        address = address_of(peer)
        return address is not None and self._trusts(address)

    def caller(self, peer: str, forwarded: Iterable[str] = ()) -> str:
        """Return the client's address; for IPv6, the network that contains it.

        The client is the right-most hop that is not one of our proxies. Each proxy appends the address of its own peer
        to the header, so anyone could have invented the values further left.

        Args:
            peer: the address of the connection's peer.
            forwarded: the values of X-Forwarded-For.
        """
        caller = address_of(peer)
        if caller is None:
            return peer
        hops = ",".join(forwarded).split(",")
        while self._trusts(caller) and hops and (hop := address_of(hops.pop())):
            caller = hop
        return counted_as(caller)

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self.networks)


def network_of(name: str) -> Network:
    """Parse an IP address or network. Raises ValueError."""
    try:
        network = ip_network(name)
    except ValueError as error:
        raise ValueError(f"{error}; it takes addresses and networks such as 10.0.0.0/8, separated by commas") from None
    if not network.prefixlen:
        raise ValueError(f"{name} would believe whatever anybody writes; name the proxies' own network")
    return network


def address_of(hop: str) -> Address | None:
    """Parse an address as proxies write it, None if it is malformed.

    Examples are `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::7` and `[2001:db8::7]:4711`.
    """
    hop = hop.strip()
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    try:
        address = ip_address(hop)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def counted_as(address: Address) -> str:
    if address.version == 4:
        return str(address)
    return str(ip_network((int(address), HOME), strict=False))
