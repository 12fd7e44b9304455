import http.client
import json
import os
import time
import urllib.error
import urllib.request
from urllib.parse import urlencode


def refresh(refresh_token):
    """Exchanges a refresh token. Only one process at a time may do this for one store."""
    form = {
        "grant_type": "refresh_token",
        "client_id": os.environ["CLIENT_ID"],
        "refresh_token": refresh_token,
    }
    request = urllib.request.Request(
        "{{origin}}/oauth/token",
        headers={"User-Agent": "my-app/1.0"},
        data=urlencode(form).encode(),
    )
    for attempt in range(5):
        wait = attempt + 1
        try:
            with urllib.request.urlopen(request, timeout=10) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code < 429:
                # After invalid_grant only the merchant can start a new connection.
                answer = json.load(error)
                raise SystemExit(f"{answer['error']}: {answer['error_description']}")
            wait = int(error.headers.get("Retry-After", wait))
        except (OSError, http.client.HTTPException):
            pass  # The answer is lost. The same token again is safe for two minutes.
        time.sleep(wait)
    raise SystemExit("No answer. Try again with the same refresh token.")


with open("tokens.json") as file:
    old = json.load(file)
tokens = refresh(old["refresh_token"])
# Store the new tokens before you use them. Both old ones are replaced.
with open("tokens.new", "w") as file:
    json.dump(tokens, file)
os.replace("tokens.new", "tokens.json")
print("Refreshed")
