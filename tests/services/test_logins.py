"""Login names that look alike share one key."""

import pytest

from ludarium.accounts.logins import checked_login, is_reserved, lookalike_key
from ludarium.platform.problems import Problem

CYRILLIC_A, CYRILLIC_O, GREEK_O, FULLWIDTH_A = "\u0430", "\u043e", "\u03bf", "\uff21"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Ada", "ada"), ("ADA.lovelace_1815", "ada.lovelace_1815"), (FULLWIDTH_A + "da", "ada"), ("Stra\u00dfe", "strasse"),
        ("\u0410\u043d\u043d\u0430", "\u0430\u043d\u043d\u0430"), ("n\u0301a\u0301ndor", "\u0144\u00e1ndor"),
        *[(name, name) for name in ("\u6771\u4eac\u3053\u3053", "\u0e17\u0e35\u0e48\u0e19\u0e35\u0e48")],
    ],
)  # fmt: skip
def test_a_login_is_kept_in_one_form(typed: str, kept: str) -> None:
    assert checked_login(typed) == kept == checked_login(kept)


@pytest.mark.parametrize(
    "login",
    [
        "", "ab", "x" * 33, "x" * 10_000, "\ufdfa" * 3, "a b c", "-ada", "ada-", "a..b", "a_-b", "a@b",
        "ad\u200ba", "\u202eada", "ada\n", "ad\u00ada", "\u0301ada", "ada\U0001f600", f"{CYRILLIC_A}da", f"ad{CYRILLIC_O}",
        f"{GREEK_O}tto", "a/b", "...",
    ],
)  # fmt: skip
def test_what_could_deceive_is_no_login(login: str) -> None:
    with pytest.raises(Problem, match="invalid-request") as refused:
        checked_login(login)
    assert [error.pointer for error in refused.value.errors] == ["/login"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paul", "pau1"), ("otto", "0tto"), ("otto", "ott0"), ("mary", "rnary"), ("scope", "\u0455\u0441\u043e\u0440\u0435"),
        ("adam", "adarn"), ("paul1", "pauil".replace("i", "1")),
    ],
)  # fmt: skip
def test_logins_that_look_alike_have_one_key(one: str, other: str) -> None:
    assert lookalike_key(checked_login(one)) == lookalike_key(checked_login(other))


def test_logins_that_look_different_have_their_own() -> None:
    names = ["paul", "pavl", "otto", "oto", "mary", "nary", "ada", "ada.", "ada1", "a.da", "anna", "\u0430\u043d\u043d\u0430"]
    assert len({lookalike_key(name) for name in names}) == len(names)


@pytest.mark.parametrize("login", ["admin", "Adm1n".lower(), "m0derator", "ludariurn"])
def test_nobody_is_called_like_somebody_in_charge(login: str) -> None:
    assert is_reserved(lookalike_key(checked_login(login))) == (login != "adm1n")
