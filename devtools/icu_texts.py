"""Convert texts from the old message syntax to ICU MessageFormat.

`python -m devtools icu-texts` rewrites the catalogues in place, line by line, so that only converted lines change. It can be
run again, because it leaves ICU texts as they are. The old syntax was `{1}`, `{1?card|cards}`, `{1?none|one|many}`, and `#`
for the number. Both formatters format each converted text with sample numbers. If the results differ, the run stops before
anything is written.
"""
from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from ludarium_engine.kernel.choices import CARDS
from ludarium_engine.kernel.title import Title
from ludarium_engine.registry import titles
from ludarium_engine.story.formatting import Argument, formatted

ROOT = Path(__file__).parents[1]
LOCALES = ("en", "es", "hu")
BLANK = re.compile(r"\{(\d+)(?:\?([^{}]*))?\}")
ICU = re.compile(r"\{\s*\w+\s*,|''")
LINE = re.compile(r'(\s*"(?P<id>(?:[^"\\]|\\.)*)": )(?P<text>"(?:[^"\\]|\\.)*")(,?)')
SAMPLES = (0, 1, 2, 5, 11, 21, 22, 1000)
MOST_ARGUMENTS = 12
GROUPED = 1000  # from here on ICU groups the digits of `#`; only counts of cards use `#`, and none is as large
NAME = "O'Ada {0} '{n1}' # |"

Kinds = Mapping[str, Sequence[str]]


class Differs(Exception):
    """The old and the new formatter give different results for a text."""


def icu_texts(check: bool = False) -> None:
    """Convert all catalogues to ICU MessageFormat; --check only reports."""
    converted = {path: list(convert_file(path, kinds)) for path, kinds in catalogues()}
    count = compared = 0
    for path, lines in converted.items():
        before = path.read_text().splitlines(keepends=True)
        changed = sum(old != new for old, new in zip(before, lines, strict=True))
        count, compared = count + changed, compared + len(lines)
        if changed and not check:
            path.write_text("".join(lines))
    typer.echo(f"{len(converted)} catalogues, {compared} lines, {count} texts converted")
    if check and count:
        raise typer.Exit(1)


def catalogues() -> Iterator[tuple[Path, Kinds]]:
    """Yield every catalogue with the kinds of its messages' parameters.

    The kinds are empty where they are unknown, as for the web client's texts.
    """
    for title in titles().values():
        folder = ROOT / "engine" / "src" / Path(*title.package.split(".")) / "texts"
        yield from ((folder / f"{locale}.json", kinds_of(title)) for locale in LOCALES)
    others = ("engine/src/ludarium_engine/texts", "engine/src/ludarium_engine/testkit/commands/template/title/texts")
    for folder in [*(ROOT / other for other in others), *sorted((ROOT / "clients/web/src").iterdir())]:
        yield from ((path, {}) for locale in LOCALES if (path := folder / f"{locale}.json").is_file())


def kinds_of(title: Title[Any, Any]) -> Kinds:
    labels = {f"verb.{name}": verb.args for name, verb in title.verbs.items()}
    said = {f"said.{name}": kinds for name, kinds in title.sentences.items()}
    told = {f"told.{name}": kinds for name, kinds in title.disclosures.items()}
    return {**labels, **said, **told, **title.phrases}


def convert_file(path: Path, kinds: Kinds) -> Iterator[str]:
    for line in path.read_text().splitlines(keepends=True):
        found = LINE.match(line)
        if found is None:
            yield line
            continue
        text = json.loads(found["text"])
        new = checked(path.stem, text, converted(text, kinds.get(found["id"], ())))
        yield line if new == text else line.replace(found["text"], json.dumps(new, ensure_ascii=False))


def converted(text: str, kinds: Sequence[str] = ()) -> str:
    """Return a text in ICU syntax.

    Args:
        text: a text in the old syntax; an ICU text is returned unchanged.
        kinds: the kinds of its parameters. Only `CARDS` matters: there the number of cards is not the text of the argument.
    """
    if ICU.search(text) or not BLANK.search(text):
        return text
    parts, end = list[str](), 0
    for found in BLANK.finditer(text):
        parts.append(quoted(text[end : found.start()], found[0]))
        parts.append(argument(int(found[1]), found[2], kinds))
        end = found.end()
    return "".join([*parts, quoted(text[end:], "")])


def argument(nth: int, choice: str | None, kinds: Sequence[str]) -> str:
    if choice is None:
        return f"{{{nth}}}"
    number = "#" if list(kinds[nth : nth + 1]) == [CARDS] else f"{{{nth}}}"
    forms = choice.split("|")
    if len(forms) == 1 and number != "#":
        return form_of(forms[0], number, "")
    keys = ("=0", "=1", "other")[-len(forms):]
    cases = " ".join(f"{key} {{{form_of(form, number, '}')}}}" for key, form in zip(keys, forms, strict=True))
    return f"{{n{nth}, plural, {cases}}}"


def form_of(form: str, number: str, following: str) -> str:
    *parts, last = form.split("#")
    return "".join([*(quoted(part, number) + number for part in parts), quoted(last, following)])


def quoted(text: str, following: str) -> str:
    """Double each apostrophe that ICU would read as the start of a quotation."""
    return re.sub(r"'(?=[{}#'])", "''", text + following[:1]).removesuffix(following[:1])


def checked(locale: str, old: str, new: str) -> str:
    """Return the new text if both formatters agree on sample arguments.

    Raises:
        Differs: the formatters give different results.
    """
    if ICU.search(old):
        return new
    numbers = [number for number in SAMPLES if number < GROUPED or "#" not in new]
    samples = [(str(number), number) for number in numbers] + [(NAME, number) for number in numbers if "#" not in old]
    for text, number in samples:
        arguments = [Argument(text, number)] * MOST_ARGUMENTS
        if old_formatted(old, arguments) != formatted(locale, new, arguments):
            raise Differs(f"{locale}, {number}: {old!r} became {new!r}")
    return new


def old_formatted(text: str, arguments: Sequence[Argument]) -> str:
    """Format a text in the old syntax, as earlier releases did."""

    def blank(found: re.Match[str]) -> str:
        text, number = arguments[int(found[1])]
        if found[2] is None:
            return text
        forms = found[2].split("|")
        if number == 0 and len(forms) > 2:
            return forms[0]
        chosen = forms[-2] if number == 1 and len(forms) > 1 else forms[-1]
        return chosen.replace("#", str(number))

    return BLANK.sub(blank, text)
