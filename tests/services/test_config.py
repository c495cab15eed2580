"""Settings come from the environment, and a mistake in them is told."""

from pathlib import Path

import pytest

from services.config import PREFIX, Config, ConfigError, read_config


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


def test_a_misspelt_variable_is_not_passed_over() -> None:
    with pytest.raises(ConfigError, match=r"There is no setting LUDARIUM_PROT\."):
        read_config({"LUDARIUM_PROT": "8000"})


def test_every_setting_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/operators.md").read_text()
    assert [name for name in Config.__struct_fields__ if f"`{PREFIX}{name.upper()}`" not in page] == []
