"""The features of a server, as `GET /api/v1` lists them for clients.

docs/frontend.md describes them.
"""

from ludarium.accounts.mail import Mail
from ludarium.platform.signing_keys import Signer

ALWAYS = (
    "analysis", "asyncapi", "bots", "chat", "imports", "matchmaking", "notices", "oauth", "passkeys", "ratings", "studies",
    "tournaments",
)  # fmt: skip
"""The features of every server of this release.

A published name keeps its meaning.
"""


def features(mail: Mail, signer: Signer) -> list[str]:
    """Return the features of this server, sorted.

    They include those that its operator enabled.
    """
    chosen = {"mail": not mail.is_off, "signatures": signer.present is not None}
    return sorted([*ALWAYS, *(name for name, on in chosen.items() if on)])
