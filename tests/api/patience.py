"""Schemathesis hooks that retry a 503 with `Retry-After`, as clients do.

A busy machine is no fault. The number of retries is limited, so a server that is never available fails. A 503 without
`Retry-After` is reported at once.
"""

from functools import partial

import requests.sessions
from requests.adapters import HTTPAdapter
from urllib3 import Retry

AGAIN = 6


class OfUnavailable(Retry):
    RETRY_AFTER_STATUS_CODES = frozenset({503})


PATIENT = OfUnavailable(AGAIN, connect=0, read=0, other=0, allowed_methods=None, raise_on_status=False)
setattr(requests.sessions, "HTTPAdapter", partial(HTTPAdapter, max_retries=PATIENT))  # noqa: B010  sessions mount this
