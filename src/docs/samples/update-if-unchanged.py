import json
import urllib.error
import urllib.request


def call(method, path, headers={}, body=None):
    """Calls the API. Returns the ETag and the body."""
    request = urllib.request.Request(
        "{{origin}}/v2/{{store}}" + path,
        method=method,
        headers={
            "User-Token": "{{user_token}}",
            "User-Secret-Key": "{{user_secret}}",
            "Content-Type": "application/json",
            "User-Agent": "my-shop/1.0",
            **headers,
        },
        data=None if body is None else json.dumps(body).encode(),
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return response.headers["ETag"], json.load(response)


while True:
    etag, brand = call("GET", "/catalog/brands/1")
    change = {"name": "Serra Azul", "active": brand["active"]}
    try:
        _, answer = call("PUT", "/catalog/brands/1", {"If-Match": etag}, change)
        break
    except urllib.error.HTTPError as error:
        if error.code != 412:  # 412: another caller changed it. Read it again, and decide anew.
            answer = json.load(error)
            raise SystemExit(f"{answer['code']}: {answer['hint']} {answer.get('errors', '')}")
print(f"Renamed brand 1 to {answer['data']['name']}")
