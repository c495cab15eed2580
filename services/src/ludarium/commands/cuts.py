"""`ludarium cuts sign` and `signing-key`: statements signed by the operator."""
from __future__ import annotations

import typer

from ludarium.commands.running import fail, open_database, run
from ludarium.platform.config import read_config
from ludarium.platform.signing_keys import Signer, new_secret
from ludarium.records.lost_events import sign_cuts

cuts = typer.Typer(help="Explain losses of events to clients.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    app.add_typer(cuts, name="cuts")
    app.command("signing-key")(signing_key)


@cuts.callback()
def group() -> None:
    """Events that the log has lost."""


@cuts.command("sign")
def sign_command() -> None:
    """Sign all known losses of events, so that clients do not report tampering."""
    run(sign_all())


async def sign_all() -> None:
    config = read_config()
    signer = Signer(config.signing_key, config.signing_keys_before)
    if signer.present is None:
        fail("LUDARIUM_SIGNING_KEY is not set: `ludarium signing-key` makes one.")
    async with open_database(config) as url:
        signed = await sign_cuts(url, signer)
    typer.echo(f"{signed} cuts signed with the key {signer.present.id}.")


def signing_key() -> None:
    """Make a signing key.

    The second line is its public key, for LUDARIUM_SIGNING_KEYS_BEFORE once there is a newer key.
    """
    secret = new_secret()
    present = Signer(secret).present
    assert present is not None
    typer.echo(f"LUDARIUM_SIGNING_KEY={secret}")
    typer.echo(f"{present.key} (id {present.id})")
