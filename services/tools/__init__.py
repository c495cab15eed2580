"""Tools of the engine on the command line: play by bots, counts, random games, proofs."""
import typer

from services.tools.fuzz import fuzz
from services.tools.perft import perft
from services.tools.prove import prove
from services.tools.simulate import simulate


def register(app: typer.Typer) -> None:
    for command in (simulate, perft, fuzz, prove):
        app.command()(command)
