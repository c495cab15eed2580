"""A software authenticator that creates passkeys and signs as a real device does.

It follows the W3C Web Authentication standard.
"""

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

Json = dict[str, Any]
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Authenticator:
    def __init__(self, origin: str, verifies: bool = True) -> None:
        """Create an authenticator.

        Args:
            origin: The origin of the page that uses this authenticator.
            verifies: Whether the authenticator verifies its user, by PIN or fingerprint.
        """
        self.origin, self.flags = origin, PRESENT | (VERIFIED if verifies else 0)
        self.id, self.count = secrets.token_bytes(32), 0
        self._key = ec.generate_private_key(ec.SECP256R1())

    def create(self, options: Json) -> Json:
        """Return the result of `navigator.credentials.create` for these options."""
        attested = bytes(16) + len(self.id).to_bytes(2) + self.id + self._public()
        data = self._data(options["rp"]["id"], self.flags | ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return self._credential({"clientDataJSON": encoded(client), "attestationObject": encoded(attestation)})

    def get(self, options: Json) -> Json:
        """Return the result of `navigator.credentials.get` for these options."""
        self.count += 1
        data, client = self._data(options["rpId"], self.flags), self._client("webauthn.get", options)
        signature = self._key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._credential({
            "clientDataJSON": encoded(client), "authenticatorData": encoded(data), "signature": encoded(signature),
        })  # fmt: skip

    def _credential(self, response: Json) -> Json:
        return {"id": encoded(self.id), "rawId": encoded(self.id), "type": "public-key", "response": response}

    def _data(self, rp_id: str, flags: int) -> bytes:
        return sha256(rp_id.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _client(self, type: str, options: Json) -> bytes:
        return json.dumps({"type": type, "challenge": options["challenge"], "origin": self.origin}).encode()

    def _public(self) -> bytes:
        numbers = self._key.public_key().public_numbers()
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)})
