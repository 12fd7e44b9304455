import base64
import hashlib
import json
import os
import secrets
import urllib.error
import urllib.request
from urllib.parse import parse_qs, urlencode, urlsplit

CLIENT_ID = os.environ["CLIENT_ID"]
REDIRECT_URI = "http://127.0.0.1:9999/callback"

# 1. A verifier that only you know, and its digest.
verifier = secrets.token_urlsafe(32)
digest = hashlib.sha256(verifier.encode()).digest()
state = secrets.token_urlsafe(16)

# 2. The merchant opens this address, and returns to your redirect URI.
query = {
    "response_type": "code",
    "client_id": CLIENT_ID,
    "redirect_uri": REDIRECT_URI,
    "state": state,
    "code_challenge": base64.urlsafe_b64encode(digest).rstrip(b"=").decode(),
    "code_challenge_method": "S256",
}
print("{{origin}}/oauth/authorize?" + urlencode(query), flush=True)
callback = parse_qs(urlsplit(input("Paste the address that the merchant returned to:\n")).query)
if callback.get("state") != [state]:
    raise SystemExit("The state is not ours.")
if "code" not in callback:
    raise SystemExit(f"The merchant did not consent: {callback['error'][0]}")

# 3. The code and the verifier get the tokens, within 60 seconds and once.
form = {
    "grant_type": "authorization_code",
    "client_id": CLIENT_ID,
    "redirect_uri": REDIRECT_URI,
    "code": callback["code"][0],
    "code_verifier": verifier,
}
request = urllib.request.Request(
    "{{origin}}/oauth/token",
    headers={"User-Agent": "my-app/1.0"},
    data=urlencode(form).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        tokens = json.load(response)
except urllib.error.HTTPError as error:
    answer = json.load(error)
    raise SystemExit(f"{answer['error']}: {answer['error_description']}")
with open("tokens.json", "w") as file:
    json.dump(tokens, file)
print("Connected to", tokens["merchant"])
