"""Serve Ludarium with a seeded source of randomness.

`python -m tests.support.serve serve` takes the options of `ludarium serve`. The environment variables TESTS_SEED and
TESTS_START give the seed and the start number of the process. No setting of the product offers this, and no wheel
contains this module. The replay worker starts only with the first replay, since few tests need it.
"""

import gc
import os
import sys
from typing import Annotated

import typer

from ludarium.platform import logs
from tests.support.entropy import ENTROPY

PROGRAM = (sys.executable, "-m", "tests.support.serve")
app = typer.Typer(pretty_exceptions_enable=False)


@app.callback()
def set_up() -> None:
    logs.set_up(os.environ.get("LUDARIUM_LOG", ""))


@app.command()
def serve(workers: Annotated[int, typer.Option()] = 1, inherit: Annotated[str, typer.Option()] = "") -> None:
    """Run Ludarium.

    The kernel chooses which worker gets a request, so each worker draws by its own process id.
    """
    gc.disable()                                # as in `ludarium`: garbage collection takes a fifth of the time of the imports
    from ludarium.commands.serving import serve_with

    gc.freeze()
    gc.enable()
    if inherit:
        ENTROPY.start += f"/{os.getpid()}"
    serve_with(ENTROPY, PROGRAM, workers, inherit, starts_replays=False)


if __name__ == "__main__":
    app()
