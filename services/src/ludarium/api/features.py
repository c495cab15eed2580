"""What clients may rely on at this server: the features of `GET /api/v1`, which docs/frontend.md describes."""

from ludarium.accounts.mail import Mail
from ludarium.platform.signing_keys import Signer

ALWAYS = (
    "analysis", "asyncapi", "bots", "chat", "imports", "matchmaking", "oauth", "passkeys", "ratings", "studies", "tournaments",
)  # fmt: skip
"""Of every server of this release. A name, once published, keeps its meaning."""


def features(mail: Mail, signer: Signer) -> list[str]:
    """Return the features of this server, with those that its operator has set up, in alphabetical order."""
    chosen = {"mail": not mail.is_off, "signatures": signer.present is not None}
    return sorted([*ALWAYS, *(name for name, on in chosen.items() if on)])
