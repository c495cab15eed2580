"""Check that the ignore file of a Dockerfile keeps everything that it copies.

Linters of Dockerfiles do not read the ignore file.

    git ls-files | python deploy/context.py deploy/Dockerfile
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath

WILD = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
PARTS = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")


def copied(dockerfile: str) -> Iterator[str]:
    """Yield the paths that the stages of a Dockerfile copy from the build context.

    The whole context (`.`) is left out, because the ignore file decides what it contains.
    """
    for line in dockerfile.replace("\\\n", " ").splitlines():
        match line.split():
            case ["COPY" | "ADD", *words] if not any(word.startswith("--from=") for word in words):
                sources = [normpath(word.strip("/")) for word in words if not word.startswith("--")][:-1]
                yield from (source for source in sources if source != ".")


class Ignored:
    """The paths that an ignore file excludes from the build context.

    The last line that matches a path, or a folder above it, decides.
    """

    def __init__(self, text: str) -> None:
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
        self._rules = [(pattern(line.removeprefix("!")), not line.startswith("!")) for line in lines]

    def __contains__(self, path: str) -> bool:
        verdicts = [ignores for fits, ignores in self._rules if fits.fullmatch(path)]
        return bool(verdicts) and verdicts[-1]


def pattern(line: str) -> re.Pattern[str]:
    """Return a pattern for the paths that a line names, and for all paths below them."""
    parts: list[str] = PARTS.findall(line.strip("/"))
    return re.compile("".join(WILD.get(part) or re.escape(part) for part in parts) + "(?:/.*)?")


def lost(dockerfile: str, ignored: Ignored, files: list[str]) -> Iterator[str]:
    for source in copied(dockerfile):
        named = [file for file in files if pattern(source).fullmatch(file)]
        if not named:
            yield f"there is no {source} to be copied"
        yield from (f"{file} is to be copied and ignored" for file in named if file in ignored)


def main(name: str) -> int:
    ignored = Ignored(Path(f"{name}.dockerignore").read_text())
    found = list(lost(Path(name).read_text(), ignored, sys.stdin.read().splitlines()))
    for each in found[:20]:
        print(f"{name}: {each}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
