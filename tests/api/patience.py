"""Loaded by schemathesis: asks again where it is told 503 and when to come, as clients do. A busy machine is no fault.

Only so often: a server that is never there is one. 503 without `Retry-After` is told as it is.
"""

from functools import partial

import requests.sessions
from requests.adapters import HTTPAdapter
from urllib3 import Retry

AGAIN = 6


class OfUnavailable(Retry):
    RETRY_AFTER_STATUS_CODES = frozenset({503})


PATIENT = OfUnavailable(AGAIN, connect=0, read=0, other=0, allowed_methods=None, raise_on_status=False)
setattr(requests.sessions, "HTTPAdapter", partial(HTTPAdapter, max_retries=PATIENT))  # noqa: B010  what sessions mount
