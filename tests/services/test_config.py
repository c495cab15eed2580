"""Settings come from the environment, and mistakes in them are reported."""

from pathlib import Path

import pytest
from redis.asyncio import RedisCluster
from typer.testing import CliRunner

from ludarium.cli import main
from ludarium.embedded import services_for
from ludarium.embedded.errors import EmbeddedError
from ludarium.platform import valkey
from ludarium.platform.config import PREFIX, Config, ConfigError, masked, read_config, settings


def test_without_variables_everything_has_a_default() -> None:
    assert read_config({"PATH": "/bin"}) == Config()


def test_values_have_the_types_of_their_fields() -> None:
    config = read_config({"LUDARIUM_PORT": "80", "LUDARIUM_HOME": "/srv/ludarium", "LUDARIUM_HOST": "0.0.0.0"})
    assert (config.port, config.home, config.host) == (80, Path("/srv/ludarium"), "0.0.0.0")


def test_an_empty_variable_is_none() -> None:
    assert read_config({"LUDARIUM_DATABASE_URL": ""}).database_url is None


@pytest.mark.parametrize(("name", "value"), [("PORT", "http"), ("PORT", "65536"), ("WS_PORT", "-1")])
def test_a_value_that_cannot_be_used_names_its_variable(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=f"^LUDARIUM_{name}: Expected `int`"):
        read_config({PREFIX + name: value})


@pytest.mark.parametrize("command", [
    "serve", "serve --workers 2", "services", "migrate", "backup folder", "restore folder", "archive", "rebuild lobby",
    "verify --all", "cuts sign", "config",
])  # fmt: skip
def test_a_command_says_what_cannot_be_used_and_nothing_else(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDARIUM_ROLES", "api,cook")
    told = CliRunner().invoke(main, command.split())
    assert told.exit_code == 1 and isinstance(told.exception, SystemExit)
    assert "LUDARIUM_ROLES: there is no role cook; there are api, live, projections, bots, timers" in told.output


def test_a_misspelt_variable_is_not_passed_over() -> None:
    with pytest.raises(ConfigError, match=r"There is no setting LUDARIUM_PROT\."):
        read_config({"LUDARIUM_PROT": "8000"})


def test_a_setting_is_told_with_who_says_so_and_without_its_password() -> None:
    environment = {"LUDARIUM_DATABASE_URL": "postgresql://ada:s3cret@db/games", "LUDARIUM_RATE_LIMITS": "false"}
    found = {setting.variable: setting for setting in settings(environment)}
    assert [*found] == [PREFIX + name.upper() for name in Config.__struct_fields__]
    assert found["LUDARIUM_DATABASE_URL"][1:3] == ("postgresql://ada:***@db/games", "environment")
    assert found["LUDARIUM_RATE_LIMITS"][1:3] == ("false", "environment")
    assert found["LUDARIUM_METRICS_PORT"][1:3] == ("", "default")
    assert all(setting.told for setting in found.values())


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://ada@/games?host=/run/x", "postgresql://ada@/games?host=/run/x"),
        ("postgresql://db/games?user=ada&password=s3cret&x=1", "postgresql://db/games?user=ada&password=***&x=1"),
        ("rediss://:s3cret@cache:6380/0", "rediss://:***@cache:6380/0"),
        ("postgresql://ada:s3c/r#e@t@db/games", "postgresql://ada:***@db/games"),
        ("unix:///run/valkey.sock?password=s3cret", "unix:///run/valkey.sock?password=***"),
        ("127.0.0.1,::1", "127.0.0.1,::1"),
    ],
)
def test_a_password_is_masked_however_badly_it_is_quoted(url: str, told: str) -> None:
    assert masked(url) == told


def test_every_setting_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/operators.md").read_text()
    assert [name for name in Config.__struct_fields__ if f"`{PREFIX}{name.upper()}`" not in page] == []


def test_a_key_that_is_none_is_said_and_not_shown() -> None:
    with pytest.raises(ConfigError, match=r"^LUDARIUM_SIGNING_KEY: a key is 64 hexadecimal digits") as told:
        read_config({"LUDARIUM_SIGNING_KEY": "0123-secret"})
    assert "secret" not in str(told.value)


@pytest.mark.parametrize("alone", ["database_url", "redis_url", "database_owner_url"])
async def test_half_of_the_servers_is_no_configuration(alone: str) -> None:
    with pytest.raises(EmbeddedError, match="go together"):
        async with services_for(read_config({f"{PREFIX}{alone.upper()}": "redis://somewhere"})):
            pytest.fail("it has begun")


def test_a_cluster_is_found_by_any_node_that_its_url_names() -> None:
    url = "rediss+cluster://me:s%40cret@a:1,b:2,[::1]:3/?ssl_ca_certs=/x"
    assert valkey.seeds(url) == [f"rediss://me:s%40cret@{host}/?ssl_ca_certs=/x" for host in ("a:1", "b:2", "[::1]:3")]
    client = valkey.client(url)
    assert isinstance(client, RedisCluster)
    nodes = client.nodes_manager.startup_nodes.values()
    assert {(node.host, node.port) for node in nodes} == {("a", 1), ("b", 2), ("::1", 3)}
    assert {node.connection_kwargs["password"] for node in nodes} == {"s@cret"}
