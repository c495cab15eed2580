"""The language of a response, and titles of all problems in every language."""

import pytest

from ludarium.platform.locale import ENGLISH, LOCALES, preferred, problem_titles
from ludarium.platform.problems import KINDS, Problem


@pytest.mark.parametrize(("header", "locale"), [
    ("", "en"),
    ("*", "en"),
    ("hu", "hu"),
    ("es-AR, es;q=0.9, en;q=0.8", "es"),
    ("de, fr;q=0.9, hu;q=0.5, en;q=0.4", "hu"),
    ("en;q=0.3, es;q=0.7", "es"),
    ("hu;q=0, es;q=0.1", "es"),
    ("hu;q=0", "en"),
    ("es,hu", "es"),
    ("HU-hu ; q=0.8", "hu"),
    ("zh-Hant-TW, ja", "en"),
    ("hu;q=2, es", "es"),
    ("hu;;;=,\x00, es;q=", "en"),
    ("de," * 100 + "hu", "en"),                 # beyond the part that is read
    ("es-MX", "es"),
    ("es-419", "es"),
    ("hu-HU", "hu"),
    ("ES", "es"),
    ("fr", "en"),
    ("est", "en"),                              # a language whose tag begins like another one's
])  # fmt: skip
def test_the_language_liked_best_is_spoken(header: str, locale: str) -> None:
    assert preferred(header) == locale


@pytest.mark.parametrize(("header", "locale"), [
    ("zh-Hant-TW", "zh-Hant"), ("zh-TW", "zh"), ("ZH-hant", "zh-Hant"), ("zh-a-DE", "zh"), ("pt-BR", "en"), ("de-AT, en", "de"),
])  # fmt: skip
def test_a_tag_is_shortened_until_a_locale_has_it(header: str, locale: str) -> None:
    """The shortening follows RFC 4647, section 3.4."""
    assert preferred(header, ("en", "de", "zh", "zh-Hant")) == locale


@pytest.mark.parametrize("locale", sorted(set(LOCALES) - {ENGLISH}))
def test_every_problem_has_a_title_of_its_own(locale: str) -> None:
    titles = problem_titles(locale)
    assert titles.keys() == KINDS.keys()
    assert not [code for code, title in titles.items() if not title.strip() or title == KINDS[code].title]


def test_a_problem_says_its_title_in_the_language_asked_for() -> None:
    assert Problem("not-found").body().title == "Not found"
    assert Problem("not-found").body(locale="hu").title == problem_titles("hu")["not-found"]
