"""The client address of a request with any forged headers."""

import pytest

from ludarium.platform.client_address import Proxies
from ludarium.platform.config import Config, ConfigError, read_config

PROXIES = Proxies("127.0.0.1, ::1, 10.42.0.0/16, fd00::/8")


@pytest.mark.parametrize(
    ("peer", "forwarded", "caller"),
    [
        ("192.0.2.7", [], "192.0.2.7"),
        ("192.0.2.7", ["6.6.6.6"], "192.0.2.7"),
        ("127.0.0.1", ["192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["6.6.6.6, 192.0.2.7"], "192.0.2.7"),
        ("127.0.0.1", ["6.6.6.6", "192.0.2.7"], "192.0.2.7"),
        ("10.42.3.4", ["6.6.6.6, 192.0.2.7, 10.42.9.9"], "192.0.2.7"),
        ("10.43.3.4", ["192.0.2.7"], "10.43.3.4"),
        ("127.0.0.1", ["10.42.0.9"], "10.42.0.9"),
        ("127.0.0.1", ["192.0.2.7:4711"], "192.0.2.7"),
        ("127.0.0.1", ["6.6.6.6, unknown"], "127.0.0.1"),
        ("127.0.0.1", [""], "127.0.0.1"),
        ("::ffff:10.42.3.4", ["::ffff:192.0.2.7"], "192.0.2.7"),
        ("fd00::9", ["[2001:db8:1:2:3:4:5:6]:4711"], "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", [], "2001:db8:1:2::/64"),
        ("fe80::1%eth0", ["6.6.6.6"], "fe80::/64"),
    ],
)
def test_a_request_is_counted_as_the_right_most_hop_that_is_none_of_ours(
    peer: str, forwarded: list[str], caller: str
) -> None:
    assert PROXIES.caller(peer, forwarded) == caller


@pytest.mark.parametrize("names", ["*", "0.0.0.0/0", "::/0", "10.0.0.1/8", "proxy.example", "127.0.0.1 ::1"])
def test_a_start_with_proxies_that_nobody_can_mean_says_so(names: str) -> None:
    with pytest.raises(ConfigError, match=r"^LUDARIUM_TRUSTED_PROXIES: "):
        read_config({"LUDARIUM_TRUSTED_PROXIES": names})


def test_networks_are_a_setting() -> None:
    assert "172.28.8.1" in read_config({"LUDARIUM_TRUSTED_PROXIES": "127.0.0.1,172.28.8.0/24"}).trusted_proxies
    assert "127.0.0.1" in Config().trusted_proxies
