"""Messages: facts, labels and prompts are message ids with parameters; each title brings a catalogue per locale."""
from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def texts_of(package: str) -> Mapping[str, Mapping[str, str]]:
    """Locale -> message id -> text with {0}, {1}, ... for the parameters, from the package's folder `texts`."""
    found = [f for f in files(package).joinpath("texts").iterdir() if f.name.endswith(".json")]
    return {f.name.removesuffix(".json"): json.loads(f.read_bytes()) for f in sorted(found, key=lambda f: f.name)}
