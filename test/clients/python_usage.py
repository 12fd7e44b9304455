# Checked by `python-types.test.ts` beside the built package: how programs use its types. A comment that hides no error is one.
from datetime import datetime
from typing import TYPE_CHECKING, Dict, List, Optional

from online_store_administration import ApiError, Client, OAuthApp, webhooks

if TYPE_CHECKING:
    from online_store_administration.types import Brand, Order

shop = Client(store="demo", token="a", secret="b", strict=True)

brand: "Brand" = shop.brands.create({"name": "Sol", "active": True}, idempotency_key="key")
created: datetime = brand["created_at"]
shown = shop.brands.show(brand["id"], with_response=True)
etag: Optional[str] = shown.etag
shop.brands.update(shown.data["id"], {"name": "Sol", "active": False}, if_match=etag or "*")
nothing: None = shop.brands.delete(brand["id"])

# Requests are checked.
shop.brands.create({"active": True})  # pyright: ignore[reportArgumentType]
shop.brands.create({"name": "Sol", "active": True, "colour": "red"})  # pyright: ignore[reportArgumentType]
shop.brands.show("1")  # pyright: ignore[reportArgumentType]
shop.brands.show(id=1)  # pyright: ignore[reportCallIssue]
shop.orders.list({"include": ["brand"]})  # pyright: ignore[reportArgumentType]
shop.orders.list({"status": ["payed"]})  # pyright: ignore[reportArgumentType]
shop.orders.list({"colour": "red"})  # pyright: ignore[reportArgumentType]
shop.orders.list(status=["paid"])  # pyright: ignore[reportCallIssue]
Client(store="demo")  # pyright: ignore[reportCallIssue]
shop.orders.update(1, {"date_delivery": datetime.now()})
shop.orders.update(1)
shop.reports.show_sales_summary({"from": "2031-03-05"})

for order in shop.orders.list({"status": ["paid", None], "include": ["items"], "id": 7}):
    total: float = order["value_total"]
page = shop.orders.list().page()
count: int = page.meta["pagination"]["total"]
orders: "List[Order]" = page.data
following = page.next()

# A file of products that was exported can be imported again.
job = shop.imports.create(shop.exports.download(1), query={"product_events": False}, timeout=60)
shop.imports.wait(job["id"], on_progress=lambda now: print(now["done"], now["total"]))

# Events are a union by name.
event = webhooks.verify({}, b"", ["whsec_a", "whsec_b"])
if event["event"] == "order.paid":
    paid: float = event["resource"]["value_total"]
event_id: str = event["id"]


class TokenStore:
    def get(self, store: str) -> Optional[Dict[str, str]]:
        return None

    def compare_and_set(self, store: str, expected: Optional[Dict[str, str]], next: Optional[Dict[str, str]]) -> bool:
        return True


app = OAuthApp(client_id="app", redirect_uri="https://app.test/callback", token_store=TokenStore())
address, kept = app.authorize_url(["catalog.read"])
connected = app.client(app.exchange(address, kept)["store"]).products.list().all(10)
try:
    shop.request("GET", "/catalog/brands")
except ApiError as error:
    messages: Dict[str, List[str]] = error.errors
