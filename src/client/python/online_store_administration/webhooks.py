"""Deliveries of webhooks, of a store or of an app."""

import hashlib
import hmac
import json
import math
import re
import time
from base64 import b64decode, b64encode
from functools import partial

from ._dates import decode_dates
from ._http import ApiError


def verify(headers, body, secret, tolerance_seconds=300, read=decode_dates):
    """Checks that a delivery is genuine and recent, and returns its event. With several secrets, any may have signed."""
    if not isinstance(body, (str, bytes)):
        raise refusal("Pass the body as it was received, before anything parses it.")
    raw = body.encode() if isinstance(body, str) else body
    secrets = [secret] if isinstance(secret, str) else secret

    def header(pattern):
        return " ".join(str(value) for name, value in headers.items() if re.fullmatch(pattern, name.lower()))

    event_id, timestamp = header("webhook-id"), header("webhook-timestamp")
    signatures = [one[3:] for one in header("webhook-signature").split() if one.startswith("v1,")]
    plain = header("x-.+-hmac-sha256(-next|-previous)?").split()
    if signatures:
        if not re.fullmatch("[0-9]{1,12}", timestamp):
            raise refusal("webhook-timestamp is missing.")
        age = time.time() - int(timestamp)
        if abs(age) > tolerance_seconds:
            raise refusal(f"The delivery was signed {age:.0f} seconds ago. Check the clock.")
        require_match(f"{event_id}.{timestamp}.".encode() + raw, signatures, map(key_of, secrets))
    elif plain and tolerance_seconds == math.inf:
        require_match(raw, plain, (one.encode() for one in secrets))
    else:
        raise refusal("webhook-signature is missing. Pass the headers of the delivery as they came.")
    epoch, _, number = header("x-.+-sequence").partition(".")
    return {
        **read(json.loads(raw)),
        "id": event_id or header("x-.+-event-id"),
        "sequence": {"epoch": int(epoch or 0), "number": int(number or 0)},
        "attempt": int(header("x-.+-attempt") or 1),
        "changed": re.findall("[^, ]+", header("x-.+-changed")),
    }


# The webhook of an app has the same signature. Its times have no zone, and stay texts.
verify_app_event = partial(verify, read=dict)


def require_match(content, signatures, keys):
    """Raises unless one of the signatures is that of one of the keys. Compares in constant time."""
    expected = [b64encode(hmac.new(key, content, hashlib.sha256).digest()) for key in keys]
    if not any([hmac.compare_digest(one, sent.encode()) for one in expected for sent in signatures[:10]]):
        raise refusal("No signature fits. Check that the secret is that of this webhook.")


def key_of(secret):
    """The key of the Standard Webhooks signature: the bytes that the secret encodes."""
    try:
        return b64decode(re.fullmatch("whsec_(.+)", secret)[1], validate=True)
    except (TypeError, ValueError):
        pass
    raise refusal("The secret must be that of the webhook: whsec_ and base64.")


def refusal(hint):
    return ApiError("signature", hint)
