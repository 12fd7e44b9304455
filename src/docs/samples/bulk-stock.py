import json
import urllib.error
import urllib.request
import uuid

ITEMS = [
    {"sku": "CAFE-GRAO-250", "quantity": 40},
    {"sku": "NO-SUCH-SKU", "quantity": 5},
]
CALL_SIZE = 500  # The most that one call takes.

for start in range(0, len(ITEMS), CALL_SIZE):
    part = ITEMS[start : start + CALL_SIZE]
    request = urllib.request.Request(
        "{{origin}}/v2/{{store}}/catalog/stocks",
        method="PUT",
        headers={
            "Idempotency-Key": str(uuid.uuid4()),
            "User-Token": "{{user_token}}",
            "User-Secret-Key": "{{user_secret}}",
            "Content-Type": "application/json",
            "User-Agent": "my-shop/1.0",
        },
        data=json.dumps({"items": part}).encode(),
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            results = json.load(response)["data"]
    except urllib.error.HTTPError as error:
        answer = json.load(error)
        raise SystemExit(f"{answer['code']}: {answer['hint']} {answer.get('errors', '')}")
    for result in results:
        print(part[result["index"]]["sku"], result["status"], result.get("errors", ""))
