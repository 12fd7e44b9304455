import http.client
import json
import random
import time
import urllib.error
import urllib.request
import uuid


def send(method, path, body, key):
    """Sends a write until it is answered. The key makes sure that it is carried out once."""
    for attempt in range(5):
        wait = 2**attempt / 2 + random.random() / 2
        request = urllib.request.Request(
            "{{origin}}/v2/{{store}}" + path,
            method=method,
            headers={
                "Idempotency-Key": key,
                "User-Token": "{{user_token}}",
                "User-Secret-Key": "{{user_secret}}",
                "Content-Type": "application/json",
                "User-Agent": "my-shop/1.0",
            },
            data=json.dumps(body).encode(),
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            answer = json.load(error)
            if error.code not in (429, 503) and answer["code"] != "request_under_way":
                raise SystemExit(f"{answer['code']}: {answer['hint']} {answer.get('errors', '')}")
            wait = float(error.headers.get("Retry-After", wait))
        except (OSError, http.client.HTTPException):
            pass  # The answer is lost: the change may have been made or not.
        time.sleep(wait)
    raise SystemExit(f"No answer. Try again later with the same key: {key}")


key = str(uuid.uuid4())  # Store it with your own record before you send.
brand = send("POST", "/catalog/brands", {"name": "Lua", "active": True}, key)["data"]
print(f"Created brand {brand['id']}: {brand['name']}")
