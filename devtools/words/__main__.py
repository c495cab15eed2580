"""`python -m devtools.words`: check the wording and the spelling of all texts.

It is not part of `python -m devtools`, which takes seconds to import.
"""
from __future__ import annotations

import os
from collections.abc import Iterable

import typer

from devtools.words import catalogues, grammar, prose, spelling, telltales

app = typer.Typer(name="python -m devtools.words", no_args_is_help=True, pretty_exceptions_enable=False)


@app.command()
def wording() -> None:
    """Check that English texts, docs and docstrings have few phrases that were translated word for word."""
    texts = catalogues.texts(catalogues.LOCALES[0])
    found = list(telltales.telltales(texts))
    report(found if len(found) > telltales.MOST else [], f"{len(found)} tell-tale phrases, more than {telltales.MOST}")
    report(prose.above(), "Write plainer sentences; devtools/words/prose.py has the words and limits")
    report(grammar.mistakes(texts), "Mistakes in grammar; devtools/words/grammar.py has exceptions")


@app.command("spelling")
def check_spelling() -> None:
    """Check the spelling of texts in each language. Without Hunspell it only says so, except under CI."""
    try:
        spelling.require()
    except spelling.NotInstalled as missing:
        print(f"The spelling of texts was not checked. To check it: {missing}")
        raise typer.Exit(1 if os.environ.get("CI") else 0) from None
    found = (line for locale in catalogues.LOCALES for line in spelling.misspelt(locale, catalogues.texts(locale)))
    report(found, "Misspelt, or missing in devtools/words/known/")


def report(lines: Iterable[str], heading: str) -> None:
    """Print the lines below a heading, and exit with 1 if there are any."""
    if found := list(lines):
        print(f"{heading}:", *found, sep="\n  ")
        raise typer.Exit(1)


if __name__ == "__main__":
    app()
