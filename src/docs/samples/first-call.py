import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    "{{origin}}/v2/{{store}}/catalog/brands",
    method="POST",
    headers={
        "User-Token": "{{user_token}}",
        "User-Secret-Key": "{{user_secret}}",
        "Content-Type": "application/json",
        "User-Agent": "my-shop/1.0",
    },
    data=json.dumps({"name": "Sol", "active": True}).encode(),
)
try:
    with urllib.request.urlopen(request, timeout=30) as response:
        brand = json.load(response)["data"]
except urllib.error.HTTPError as error:
    answer = json.load(error)
    raise SystemExit(f"{answer['code']}: {answer['hint']} {answer.get('errors', '')}")
print(f"Created brand {brand['id']}: {brand['name']}")
