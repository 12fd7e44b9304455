import json
import urllib.error
import urllib.request

HEADERS = {
    "User-Token": "{{user_token}}",
    "User-Secret-Key": "{{user_secret}}",
    "User-Agent": "my-shop/1.0",
}


def pages(url):
    """Yields every page of a list. `next` is empty on the last one."""
    while url:
        request = urllib.request.Request(url, headers=HEADERS)
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                page = json.load(response)
        except urllib.error.HTTPError as error:
            answer = json.load(error)
            raise SystemExit(f"{answer['code']}: {answer['hint']} {answer.get('errors', '')}")
        yield page
        url = page["meta"]["pagination"]["links"]["next"]


count = 0
for page in pages("{{origin}}/v2/{{store}}/catalog/products?limit=100&include=skus"):
    for product in page["data"]:
        print(product["id"], product["name"])
        count += 1
print(count, "products")
