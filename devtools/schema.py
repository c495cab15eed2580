"""`python -m devtools schema`: write or check the files generated from the code."""
from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from devtools import generated_files
from ludarium.api import openapi
from ludarium_engine.registry import titles
from ludarium_engine.testkit.messages import malformed, wrong_sentences

PROJECT = Path(__file__).parents[1]


def schema(check: Annotated[bool, typer.Option(help="Change nothing; fail if a file is not current.")] = False) -> None:
    """Write the generated files: api-schema/, docs/errors.md, docs/games/ and parts of the Python client."""
    if faults := [fault for title in titles().values() for fault in malformed(title)]:
        sys.exit(f"Texts that are not in ICU MessageFormat: {'; '.join(faults)}")
    if wrong := [sentence for title in titles().values() for sentence in wrong_sentences(title)]:
        sys.exit(f"Sentences without a text, or with other parameters: {'; '.join(wrong)}")
    if (size := len(openapi.encoded())) > openapi.MOST_BYTES:
        sys.exit(f"The OpenAPI document has {size:,} bytes, more than {openapi.MOST_BYTES:,}")
    if check:
        outdated = generated_files.outdated(PROJECT)
        if outdated:
            sys.exit(f"Not current (run make schema): {', '.join(outdated)}")
    else:
        for path in generated_files.write(PROJECT):
            print(path)
