import base64
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

TOLERANCE = 300  # Seconds that a delivery may be old.

# Your secret; during a rotation the old and the new one, separated by a space.
SECRETS = os.environ["WEBHOOK_SECRETS"].split()


def verify(body, headers):
    """Whether a delivery is genuine and fresh. `body` is the raw body, before anything parses it."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if len(timestamp) > 12 or not timestamp.isdecimal():
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE:
        return False
    content = f"{message_id}.{timestamp}.".encode() + body
    sent = headers.get("webhook-signature", "").encode().split(b" ")[:8]
    for secret in SECRETS:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = b"v1," + base64.b64encode(hmac.digest(key, content, "sha256"))
        if any(hmac.compare_digest(expected, signature) for signature in sent):
            return True
    return False


def verify_body(body, headers):
    """Whether a delivery is genuine, by the service's own header. It does not cover the time."""
    sent = headers.get("X-{{service}}-Hmac-SHA256", "").encode()
    return any(
        hmac.compare_digest(
            base64.b64encode(hmac.digest(secret.encode(), body, "sha256")), sent
        )
        for secret in SECRETS
    )


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not verify(body, self.headers):
            self.send_response(401)
            self.end_headers()
            return
        event = json.loads(body)
        # Store the event under its webhook-id, answer, and work afterwards.
        print(self.headers["webhook-id"], event["event"])
        self.send_response(204)
        self.end_headers()


if __name__ == "__main__":
    HTTPServer(("", int(os.environ.get("PORT", 3000))), Receiver).serve_forever()
