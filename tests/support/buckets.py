"""An S3 bucket for tests, served by moto and configured by AWS_* variables."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from moto.server import ThreadedMotoServer


@contextmanager
def bucket() -> Iterator[str]:
    """Yield the URL of an empty bucket, `s3://kept`.

    The AWS_* environment variables point to the bucket's server until the context ends.
    """
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    url = "http://{}:{}".format(*server.get_host_and_port())
    httpx.put(f"{url}/kept").raise_for_status()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {"ENDPOINT_URL": url, "ACCESS_KEY_ID": "a", "SECRET_ACCESS_KEY": "b", "REGION": "us-east-1",
                            "ALLOW_HTTP": "true"}.items():  # fmt: skip
            patch.setenv(f"AWS_{name}", value)
        yield "s3://kept"
    server.stop()
