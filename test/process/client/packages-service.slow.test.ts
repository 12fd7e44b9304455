import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getOpenApiDocument } from '../../../src/docs/openapi-document.ts';
import { readMethods } from '../../../src/http/openapi/model.ts';
import { createSecret, importSigningKey, signRequest } from '../../../src/webhooks/signature.ts';
import { cutPoints, startCuttingProxy } from '../../support/node/client/cutting-proxy.ts';
import { firstProgramFor } from '../../support/node/client/first-program.ts';
import {
  describeInEach,
  type Programs,
  startFakeService,
} from '../../support/node/client/packages.ts';
import { codeOfPage } from '../../support/node/docs/samples.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';

let marks = 0;
const mark = () => `Mark ${Date.now()} ${++marks}`;

const body = '{"event":"product.created","resource":{"id":7}}';

/** The headers of a delivery, signed as the service does; with two secrets during a rotation. */
async function sign(primary: string, at: number, next?: string) {
  const second = next && { suffix: 'Next' as const, secret: await importSigningKey(next) };
  const { headers } = await signRequest({
    serviceName: 'Loja',
    secrets: { primary: await importSigningKey(primary), ...(second && { second }) },
    endpoint: 7,
    epoch: 1,
    seq: 42,
    eventId: 'evt_1',
    event: 'product.created',
    changed: 'name,skus.price_sale',
    apiVersion: '2.0',
    attempt: 2,
    triggeredAt: at,
    at,
    body,
  });
  return headers;
}

let demo: RunningDemo;
/** Stays signed in: an account may hash ten passwords a minute. */
let merchant: MerchantBrowser;
beforeAll(async () => {
  demo = await startDemo();
  merchant = new MerchantBrowser(demo.origin);
});
afterAll(() => demo.close());

describeInEach('the client', (kit) => {
  it('has the methods of the TypeScript client', async () => {
    const named = readMethods(getOpenApiDocument('Store', '/v2')).map(({ group, method }) =>
      kit.nameOf(`${group}.${method}`),
    );
    const program = {
      python: `
groups = {name: vars(group) for name, group in vars(connect()).items() if type(group).__name__ == "SimpleNamespace"}
print(json.dumps([f"{name}.{method}" for name, group in groups.items() for method in group]))
`,
      php: `
$names = [];
foreach (Operations::GROUPS as $group => $methods) {
    foreach (array_keys($methods) as $method) {
        $names[] = "$group.$method";
    }
}
foreach (array_keys(Operations::GROUPS) as $group) {
    preg_match_all('/^ \\* @method .* (\\w+)\\((?=.*\\) [A-Z])/mU', (new ReflectionClass(connect()->$group))->getDocComment(), $tags);
    $tagged = array_map(fn (string $name) => "$group.$name", array_diff($tags[1], ['wait']));
    $named = array_filter($names, fn (string $name) => str_starts_with($name, "$group."));
    array_values($tagged) === array_values($named) || throw new Exception("The tags of $group are not its methods.");
}
show([...$names, ...array_map(fn (string $group) => "$group.wait", method_exists(connect()->imports, 'wait') ? ['imports', 'exports'] : [])]);
`,
    };
    expect(((await kit.run(program, demo.origin)) as string[]).toSorted()).toEqual(
      [...named, 'imports.wait', 'exports.wait'].toSorted(),
    );
  });

  it('calls operations, walks lists and tells what failed', async () => {
    const program = {
      python: `
shop = connect()
brand = shop.brands.create({"name": "Python", "active": True})
shown = shop.brands.show(brand["id"], with_response=True)
unchanged = failure(lambda: shop.brands.show(brand["id"], if_none_match=shown.etag))
shop.brands.update(brand["id"], {"name": "Python", "active": False}, if_match=shown.etag)
stale = failure(lambda: shop.brands.update(brand["id"], {"name": "Python", "active": True}, if_match=shown.etag))
others = [2**53 - 1 - index for index in range(90)]
ids = [brand["id"], *others]
search = f"id:{','.join(map(str, ids))};name:{'ã' * 200}"
long = {"id": ids, "name": "Python", "search": search, "searchJoin": "or", "searchFields": "id:in"}
found = [one["id"] == brand["id"] for one in shop.brands.list(long)]
found.append(len(shop.request("GET", "/catalog/categories", body={"active": True})["data"]) > 0)
walked = [product["id"] for product in shop.products.list({"limit": 3, "include": ["skus"]})]
page = shop.products.list({"limit": 3}).page()
deleted = shop.brands.delete(brand["id"])
missing = failure(lambda: shop.brands.show(brand["id"]))
invalid = failure(lambda: shop.brands.create({}))
wrong = failure(lambda: connect(secret="sk_wrong").brands.list().page())
print(json.dumps({
    "same": shown.data["id"] == brand["id"],
    "replies": [shown.status, bool(shown.request_id), shown.is_replayed],
    "unchanged": unchanged.code,
    "found": found,
    "stale": [stale.code, stale.status, stale.headers["ETag"] != shown.etag],
    "all": len(walked) == len(set(walked)) == shop.products.list().page().meta["pagination"]["total"],
    "pages": [len(page.data), page.next().data[0]["id"] == walked[3]],
    "first": len(shop.products.list().all(2)),
    "deleted": deleted,
    "missing": [missing.status, missing.code, bool(missing.request_id)],
    "invalid": [invalid.status, list(invalid.errors)],
    "wrong": [wrong.status, wrong.code, "User-Token" in str(wrong) and "User-Secret-Key" in str(wrong), "sk_wrong" in str(vars(wrong))],
    "warned": connect().brands.create({"name": args, "active": False, "unknown": 1}, with_response=True).warning,
    "strict": failure(lambda: connect(strict=True).brands.create({"name": args, "active": False, "unknown": 1})).status,
    "none": shop.comments.list({"search": "name:no such comment"}).all(),
    "bare": [shop.request("POST", "/auth/me")["email"], shop.user.show()["email"]],
    "one": all(shop.transactions.show(one["id"])["id"] == one["id"] for one in shop.transactions.list().all(2)),
    "states": [bool(state["alias"]) for state in shop.orders.list_states()][:1],
}))
`,
      php: `
$shop = connect();
$brand = $shop->brands->create(['name' => 'PHP', 'active' => true]);
$shown = $shop->brands->show($brand['id'], withResponse: true);
$unchanged = failure(fn () => $shop->brands->show($brand['id'], ifNoneMatch: $shown->etag));
$shop->brands->update($brand['id'], ['name' => 'PHP', 'active' => false], ifMatch: $shown->etag);
$stale = failure(fn () => $shop->brands->update($brand['id'], ['name' => 'PHP', 'active' => true], ifMatch: $shown->etag));
$ids = [$brand['id'], ...array_map(fn (int $index) => 2 ** 53 - 1 - $index, range(0, 89))];
$search = 'id:' . implode(',', $ids) . ';name:' . str_repeat('ã', 200);
$long = ['id' => $ids, 'name' => 'PHP', 'search' => $search, 'searchJoin' => 'or', 'searchFields' => 'id:in'];
$found = array_map(fn (array $one) => $one['id'] === $brand['id'], $shop->brands->list($long)->all());
$found[] = count($shop->request('GET', '/catalog/categories', body: ['active' => true])['data']) > 0;
$walked = [];
foreach ($shop->products->list(['limit' => 3, 'include' => ['skus']]) as $product) {
    $walked[] = $product['id'];
}
$page = $shop->products->list(['limit' => 3])->page();
$deleted = $shop->brands->delete($brand['id']);
$missing = failure(fn () => $shop->brands->show($brand['id']));
$invalid = failure(fn () => $shop->brands->create([]));
$wrong = failure(fn () => connect(secret: 'sk_wrong')->brands->list()->page());
$unknown = ['name' => $args, 'active' => false, 'unknown' => 1];
$isNamed = str_contains($wrong->getMessage(), 'User-Token') && str_contains($wrong->getMessage(), 'User-Secret-Key');
$transactions = $shop->transactions->list()->all(2);
$total = $shop->products->list()->page()->meta['pagination']['total'];
show([
    'same' => $shown->data['id'] === $brand['id'],
    'replies' => [$shown->status, $shown->requestId !== null, $shown->isReplayed],
    'unchanged' => $unchanged->code,
    'found' => $found,
    'stale' => [$stale->code, $stale->status, $stale->headers['etag'] !== $shown->etag],
    'all' => count($walked) === count(array_unique($walked)) && count($walked) === $total,
    'pages' => [count($page->data), $page->next()->data[0]['id'] === $walked[3]],
    'first' => count($shop->products->list()->all(2)),
    'deleted' => $deleted,
    'missing' => [$missing->status, $missing->code, $missing->requestId !== null],
    'invalid' => [$invalid->status, array_keys($invalid->errors)],
    'wrong' => [$wrong->status, $wrong->code, $isNamed, str_contains(print_r($wrong, true), 'sk_wrong')],
    'warned' => connect()->brands->create($unknown, withResponse: true)->warning,
    'strict' => failure(fn () => connect(strict: true)->brands->create($unknown))->status,
    'none' => $shop->comments->list(['search' => 'name:no such comment'])->all(),
    'bare' => [$shop->request('POST', '/auth/me')['email'], $shop->user->show()['email']],
    'one' => array_filter($transactions, fn (array $one) => $shop->transactions->show($one['id'])['id'] !== $one['id']) === [],
    'states' => array_slice(array_map(fn (array $state) => $state['alias'] !== '', $shop->orders->listStates()), 0, 1),
]);
`,
    };
    expect(await kit.run(program, demo.origin, mark())).toEqual({
      same: true,
      replies: [200, true, false],
      unchanged: 'not_modified',
      found: [true, true],
      stale: ['precondition_failed', 412, true],
      all: true,
      pages: [3, true],
      first: 2,
      deleted: null,
      missing: [404, 'not_found', true],
      invalid: [422, ['name', 'active']],
      wrong: [401, 'unauthenticated', true, false],
      warned: expect.stringContaining('unknown'),
      strict: 422,
      none: [],
      bare: ['ana@demo.test', 'ana@demo.test'],
      one: true,
      states: [true],
    });
  });

  it('imports lines, waits for the job and reads an export', async () => {
    const program = {
      python: `
shop = connect()
job = shop.imports.create({"name": f"{args} {n}", "simple": True, "active": True, "brand_id": 1,
    "skus": [{"sku": f"PY-{n}", "price_sale": 9.9, "quantity": 1}]} for n in range(3))
quiet = shop.imports.create([{}], query={"product_events": False})
seen = []
done = shop.imports.wait(job["id"], on_progress=seen.append)
begun = shop.exports.create()
shop.exports.wait(begun["id"])
names = [product["name"] for product in shop.exports.download(begun["id"])]
print(json.dumps([done["state"], done["done"], len(seen) > 0 and not quiet["product_events"], [name for name in names if name.startswith(args)]]))
`,
      php: `
$shop = connect();
$lines = function () {
    foreach ([0, 1, 2] as $n) {
        yield ['name' => "{$GLOBALS['args']} $n", 'simple' => true, 'active' => true, 'brand_id' => 1,
            'skus' => [['sku' => "PHP-$n", 'price_sale' => 9.9, 'quantity' => 1]]];
    }
};
$job = $shop->imports->create($lines());
$seen = [];
$quiet = $shop->imports->create([new stdClass()], query: ['product_events' => false]);
$done = $shop->imports->wait($job['id'], onProgress: function (array $now) use (&$seen) { $seen[] = $now; });
$begun = $shop->exports->create();
$shop->exports->wait($begun['id']);
$names = [];
foreach ($shop->exports->download($begun['id']) as $product) {
    $names[] = $product['name'];
}
$isOwn = fn (string $name) => str_starts_with($name, $args);
show([$done['state'], $done['done'], count($seen) > 0 && !$quiet['product_events'], array_values(array_filter($names, $isOwn))]);
`,
    };
    const name = mark();
    const result = (await kit.run(program, demo.origin, name)) as unknown[];
    const [state, done, isWatched, names] = result;
    expect([state, done, isWatched]).toEqual(['done', 3, true]);
    expect((names as string[]).toSorted()).toEqual([0, 1, 2].map((n) => `${name} ${n}`));
  });

  it.each(cutPoints)(
    'makes each change once, and loses no record of a list, when the connection is cut: %s',
    async (point) => {
      const proxy = await startCuttingProxy(demo.origin);
      const keyOf = (number: number) => proxy.requests.at(number)?.headers['idempotency-key'];
      // Each change is cut twice, and every third page once.
      proxy.follow(({ method, count }) => {
        if (method === 'GET') return count % 3 === 2 ? point : undefined;
        const tries = proxy.requests.filter(
          ({ headers }) => headers['idempotency-key'] === keyOf(-1),
        );
        return tries.length <= 2 ? point : undefined;
      });
      const program = {
        python: `
shop = connect(timeout=args["timeout"])
name = args["name"]
direct = connect(base_url=args["origin"])
brand = shop.brands.create({"name": name, "active": True})
found = [one["id"] == brand["id"] for one in direct.brands.list({"name": name})]
changed = shop.brands.update(brand["id"], {"name": name, "active": False})["active"]
product = direct.products.create({"name": name, "simple": True, "active": True, "brand_id": brand["id"],
    "skus": [{"sku": name, "price_sale": 10, "quantity": 5, "quantity_managed": True}]})
sku = direct.skus.list(product["id"]).all()[0]
# A change by a number is the one that a repetition would spoil.
stock = shop.skus.update_stock(sku["id"], 1, {"delta": 1})["quantity"]
shop.products.delete(product["id"])
left = direct.products.list({"brand_id": brand["id"]}).all()
events = [event for event in direct.events.list({"event": ["product.deleted"]}) if event["resource"]["id"] == product["id"]]
numbers = [order["number"] for order in direct.orders.list()]
same = [order["number"] for order in shop.orders.list({"limit": 2})] == numbers
print(json.dumps([found, changed, stock, left, len(events) < 2, same]))
`,
        php: `
$shop = connect(timeout: $args['timeout']);
$name = $args['name'];
$direct = connect(baseUrl: $args['origin']);
$brand = $shop->brands->create(['name' => $name, 'active' => true]);
$found = array_map(fn (array $one) => $one['id'] === $brand['id'], $direct->brands->list(['name' => $name])->all());
$changed = $shop->brands->update($brand['id'], ['name' => $name, 'active' => false])['active'];
$product = $direct->products->create(['name' => $name, 'simple' => true, 'active' => true, 'brand_id' => $brand['id'],
    'skus' => [['sku' => $name, 'price_sale' => 10, 'quantity' => 5, 'quantity_managed' => true]]]);
$sku = $direct->skus->list($product['id'])->all()[0];
// A change by a number is the one that a repetition would spoil.
$stock = $shop->skus->updateStock($sku['id'], 1, ['delta' => 1])['quantity'];
$shop->products->delete($product['id']);
$left = $direct->products->list(['brand_id' => $brand['id']])->all();
$events = array_filter($direct->events->list(['event' => ['product.deleted']])->all(), fn (array $event) => $event['resource']['id'] === $product['id']);
$numbers = array_column($direct->orders->list()->all(), 'number');
$walked = array_column(iterator_to_array($shop->orders->list(['limit' => 2])), 'number');
show([$found, $changed, $stock, $left, count($events) < 2, $walked === $numbers]);
`,
      };
      // Long enough for the answers that do come, on a machine that does much else.
      const timeout = point === 'silent' ? 2 : 30;
      const args = { name: mark(), origin: demo.origin, timeout };
      const outcome = [[true], false, 6, [], true, true];
      expect(await kit.run(program, proxy.origin, args)).toEqual(outcome);
      const changes = proxy.requests.filter(({ line }) => !line.startsWith('GET'));
      const keys = Map.groupBy(changes, ({ headers }) => headers['idempotency-key']);
      expect([...keys.values()].map(({ length }) => length)).toEqual([3, 3, 3, 3]);
      await proxy.close();
    },
  );

  it('gives up after its retries, and gives no answer in time its own code', async () => {
    const proxy = await startCuttingProxy(demo.origin);
    proxy.follow(() => 'silent');
    const program = {
      python: `
silent = failure(lambda: connect(retries=1, timeout=0.2).brands.list().page())
print(json.dumps([silent.code, silent.status, "sk_demo" in repr(silent.__context__) + repr(silent.__cause__)]))
`,
      php: `
$silent = failure(fn () => connect(retries: 1, timeout: 0.2)->brands->list()->page());
show([$silent->code, $silent->status, str_contains(print_r($silent, true), 'sk_demo')]);
`,
    };
    expect(await kit.run(program, proxy.origin)).toEqual(['timeout', 0, false]);
    expect(proxy.requests).toHaveLength(2);
    await proxy.close();
  });

  it('reads an export to its end when its connection is cut', async () => {
    const program = {
      python: `
shop = connect()
begun = shop.exports.create()
shop.exports.wait(begun["id"])
whole = list(connect(base_url=args).exports.download(begun["id"]))
print(json.dumps([list(shop.exports.download(begun["id"])) == whole, len(whole) > 3]))
`,
      php: `
$shop = connect();
$begun = $shop->exports->create();
$shop->exports->wait($begun['id']);
$linesOf = fn (Client $client) => iterator_to_array($client->exports->download($begun['id']));
$whole = $linesOf(connect(baseUrl: $args));
show([$linesOf($shop) === $whole, count($whole) > 3]);
`,
    };
    const proxy = await startCuttingProxy(demo.origin);
    let cuts = 3;
    proxy.follow(({ path }) => {
      if (!path.endsWith('/file')) return undefined;
      cuts -= 1;
      return cuts < 0 ? undefined : cuts === 0 ? 'half' : 'headers';
    });
    expect(await kit.run(program, proxy.origin, demo.origin)).toEqual([true, true]);
    expect(cuts).toBeLessThan(0);
    await proxy.close();
  });

  it('takes genuine deliveries only, with either secret during a rotation', async () => {
    const [secret, next, other] = [createSecret(), createSecret(), createSecret()];
    const now = Date.now();
    const signed = {
      fresh: await sign(secret, now),
      rotated: await sign(secret, now, next),
      old: await sign(secret, now - 301_000),
      early: await sign(secret, now + 320_000),
    };
    const program = {
      python: `
fresh, rotated, old, early = (args["signed"][name] for name in ("fresh", "rotated", "old", "early"))
body, secret, next, other = (args[name] for name in ("body", "secret", "next", "other"))
event = webhooks.verify(fresh, body.encode(), [other, secret])
both = [webhooks.verify(rotated, body, one)["id"] for one in (secret, next, [other, next])]
plain = {name: value for name, value in old.items() if not name.startswith("webhook-")}
ageless = [webhooks.verify_app_event(plain, body, secret, math.inf)["id"], webhooks.verify(old, body, secret, 400)["id"]]
refused = [failure(call).code for call in (
    lambda: webhooks.verify(fresh, body + " ", secret),
    lambda: webhooks.verify({**fresh, "webhook-id": "evt_2"}, body, secret),
    lambda: webhooks.verify({**fresh, "webhook-timestamp": ""}, body, secret),
    lambda: webhooks.verify(fresh, body, other),
    lambda: webhooks.verify(fresh, body, []),
    lambda: webhooks.verify(fresh, body, "whsec_"),
    lambda: webhooks.verify(fresh, json.loads(body), secret),
    lambda: webhooks.verify(old, body, secret),
    lambda: webhooks.verify(early, body, secret),
    lambda: webhooks.verify(fresh, body, secret, -1),
    lambda: webhooks.verify(plain, body, secret),
    lambda: webhooks.verify(plain, body, other, math.inf),
    lambda: webhooks.verify({}, body, secret),
)]
print(json.dumps([event["id"], event["sequence"], event["attempt"], event["changed"], event["resource"], both, ageless, refused]))
`,
      php: `
['fresh' => $fresh, 'rotated' => $rotated, 'old' => $old, 'early' => $early] = $args['signed'];
['body' => $body, 'secret' => $secret, 'next' => $next, 'other' => $other] = $args;
$event = Webhooks::verify($fresh, $body, [$other, $secret]);
$both = array_map(fn (string|array $one) => Webhooks::verify($rotated, $body, $one)['id'], [$secret, $next, [$other, $next]]);
$plain = array_filter($old, fn (string $name) => !str_starts_with($name, 'webhook-'), ARRAY_FILTER_USE_KEY);
$ageless = [Webhooks::verifyAppEvent($plain, $body, $secret, INF)['id'], Webhooks::verify($old, $body, $secret, 400)['id']];
$refused = array_map(fn (callable $call) => failure($call)->code, [
    fn () => Webhooks::verify($fresh, "$body ", $secret),
    fn () => Webhooks::verify([...$fresh, 'webhook-id' => 'evt_2'], $body, $secret),
    fn () => Webhooks::verify([...$fresh, 'webhook-timestamp' => ''], $body, $secret),
    fn () => Webhooks::verify($fresh, $body, $other),
    fn () => Webhooks::verify($fresh, $body, []),
    fn () => Webhooks::verify($fresh, $body, 'whsec_'),
    fn () => Webhooks::verify($fresh, json_decode($body, true), $secret),
    fn () => Webhooks::verify($old, $body, $secret),
    fn () => Webhooks::verify($early, $body, $secret),
    fn () => Webhooks::verify($fresh, $body, $secret, -1),
    fn () => Webhooks::verify($plain, $body, $secret),
    fn () => Webhooks::verify($plain, $body, $other, INF),
    fn () => Webhooks::verify([], $body, $secret),
]);
show([$event['id'], $event['sequence'], $event['attempt'], $event['changed'], $event['resource'], $both, $ageless, $refused]);
`,
    };
    expect(await kit.run(program, demo.origin, { signed, body, secret, next, other })).toEqual([
      'evt_1',
      { epoch: 1, number: 42 },
      2,
      ['name', 'skus.price_sale'],
      { id: 7 },
      ['evt_1', 'evt_1', 'evt_1'],
      ['evt_1', 'evt_1'],
      Array.from({ length: 13 }, () => 'signature'),
    ]);
  });

  it('runs the first program of its README, which shows an order of the demo', async () => {
    const readme = `src/client/${kit.language}/package-readme.md`;
    const program = firstProgramFor(readme, demo.origin, mark());
    expect(await kit.runCopied(program)).toMatch(/^\d+\n/);
  });

  it('runs the blocks of the guides as copied, which are the same in each language', async () => {
    const { language } = kit;
    const names = {
      python: ['Client(', 'webhooks.verify(', 'except ApiError', 'OAuthApp('],
      php: ['new Client(', 'Webhooks::verify(', 'catch (ApiError', 'new OAuthApp('],
    }[language];
    const isOther = { python: /\bawait\b|\bconst\b|\$/, php: /\bawait\b|\bconst\b/ }[language];
    const pages = ['first-call', 'webhooks', 'errors', 'oauth'];
    const blocksOf = async (translation: string) =>
      Promise.all(
        pages.map(async (page, index) => {
          const blocks = await codeOfPage(`${demo.origin}/docs/${translation}guides/${page}`);
          const own = blocks.filter(
            (block) => block.includes(names[index]!) && !isOther.test(block),
          );
          expect(own).toHaveLength(1);
          return own[0]!;
        }),
      );
    const copies = await Promise.all(['', 'pt-br/', 'es/'].map(blocksOf));
    // Comments are translated, at the end of a line or on one of their own.
    const comments = /^ *(?:#|\/\/) .*\n| +(?:#|\/\/) .*$/gm;
    const plain = copies.map((blocks) => blocks.join('').replaceAll(comments, ''));
    expect(new Set(plain).size).toBe(1);
    const [first = '', verify = '', errors = '', app = ''] = copies[0]!;

    const program = first
      .replace(/token(=|: )["'][^"']*["']/, 'token$1"demo-user-token"')
      .replace(/secret(=|: )["'][^"']*["']/, 'secret$1"sk_demo_secret_key"');
    expect(await kit.runCopied(program)).toMatch(/^\d+\n/);

    const secret = createSecret();
    const delivery = [await sign(secret, Date.now()), secret];
    const receive = {
      python: `
class request:
    headers = args[0]
    get_data = lambda: ${JSON.stringify(body)}
secret = args[1]
${verify}
print(json.dumps(event["id"]))
`,
      php: `
$secret = $args[1];
function getallheaders(): array
{
    return $GLOBALS['args'][0];
}
${verify.replace("'php://input'", `'data:,' . rawurlencode('${body}')`)}
show($event['id']);
`,
    };
    expect(await kit.run(receive, demo.origin, delivery)).toBe('evt_1');

    const showErrors = {
      python: `
shop = connect()
show_errors = lambda errors: print(json.dumps(list(errors)))
${errors.replace('{"name": "Sol", "active": True}', '{}')}
`,
      php: `
$shop = connect();
function showErrors(array $errors): void
{
    show(array_keys($errors));
}
${errors.replace("['name' => 'Sol', 'active' => true]", '[]')}
`,
    };
    expect(await kit.run(showErrors, demo.origin)).toEqual(['name', 'active']);

    // The address of the callback is known when the merchant has decided.
    const decider = await startFakeService(async ({ headers }) => ({
      body: (await merchant.decide(String(headers['x-address']))).href,
    }));
    const folder = mkdtempSync(join(tmpdir(), 'store-api-packages-'));
    const install = {
      python: `
class Names(dict):
    def __missing__(self, name):
        if name != "callback_url":
            raise KeyError(name)
        asked = urllib.request.Request(args["merchant"], headers={"X-Address": self["address"]})
        with urllib.request.urlopen(asked) as answer:
            return answer.read().decode()
numbers = []
names = Names(OAuthApp=OAuthApp, client_id="demo-app", redirect_uri="http://127.0.0.1:9999/callback", print=numbers.append)
names["token_store"] = TokenStore(args["path"])
exec(args["app"], {}, names)
print(json.dumps([names["store"], len(numbers) > 0, names["token_store"].get("demo")]))
`,
      php: `
function callback_of(string $address): string
{
    return file_get_contents($GLOBALS['args']['merchant'], false, stream_context_create(['http' => ['header' => "X-Address: $address"]]));
}
[$clientId, $redirectUri, $tokenStore] = ['demo-app', 'http://127.0.0.1:9999/callback', new FileStore($args['path'])];
ob_start();
${app.replace('$callbackUrl', 'callback_of($address)')}
$numbers = ob_get_clean();
show([$store, strlen($numbers) > 0, $tokenStore->get('demo')]);
`,
    };
    const args = { merchant: decider.url, path: join(folder, 'tokens'), app };
    expect(await kit.run(install, demo.origin, args)).toEqual(['demo', true, null]);
    await decider.close();
    rmSync(folder, { recursive: true });
  });
});

describeInEach('an app with two processes', (kit) => {
  const folder = mkdtempSync(join(tmpdir(), 'store-api-packages-'));
  const tokensPath = join(folder, 'tokens');
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (program: Programs, args = {}, url = demo.origin) =>
    kit.run(program, url, { path: tokensPath, issuer: demo.origin, ...args });

  /** Connects the store as a merchant does; the two halves may reach different processes. */
  async function connect() {
    const begun = await run({
      python: 'print(json.dumps(app_of(args["path"]).authorize_url(["catalog.read"])))',
      php: `
show(app_of($args['path'])->authorizeUrl(['catalog.read']));
`,
    });
    const [address, kept] = begun as [string, object];
    const callback = await merchant.decide(address);
    const program = {
      python: `
app = app_of(args["path"])
print(json.dumps([app.exchange(args["callback"], args["kept"]), failure(lambda: app.exchange(args["callback"], None)).code]))
`,
      php: `
$app = app_of($args['path']);
show([$app->exchange($args['callback'], $args['kept']), failure(fn () => $app->exchange($args['callback'], null))->code]);
`,
    };
    const [connected, foreign] = (await run(program, { callback: callback.href, kept })) as [
      { store: string; scopes: string[]; tokens: { refresh_token: string } },
      string,
    ];
    expect([connected.store, connected.scopes, foreign]).toEqual([
      'demo',
      ['catalog.read'],
      'state_mismatch',
    ]);
    return connected.tokens;
  }

  /** Lists as the app does, with tokens that have expired. */
  const refreshing = {
    python: `
tokens = TokenStore(args["path"])
stored = tokens.get("demo")
tokens.compare_and_set("demo", stored, {**stored, "expires_at": 0})
shop = app_of(args["path"], issuer=args["issuer"]).client("demo")
lists = [shop.brands.list().all(1) for _ in range(2)]
print(json.dumps([[len(one) for one in lists], tokens.get("demo")["refresh_token"]]))
`,
    php: `
$tokens = new FileStore($args['path']);
$stored = $tokens->get('demo');
$tokens->compareAndSet('demo', $stored, [...$stored, 'expires_at' => 0]);
$shop = app_of($args['path'], issuer: $args['issuer'])->client('demo');
$lists = [$shop->brands->list()->all(1), $shop->brands->list()->all(1)];
show([array_map(count(...), $lists), $tokens->get('demo')['refresh_token']]);
`,
  };

  it('connects, refreshes once when both refresh at once, and uninstalls', async () => {
    const { refresh_token: first } = await connect();
    const proxy = await startCuttingProxy(demo.origin);
    // Nobody gets an answer before both have asked, so both have read the same token.
    const both = Promise.withResolvers<undefined>();
    proxy.follow(({ path }) => {
      const asked = proxy.requests.filter(({ line }) => line.endsWith('/oauth/token')).length;
      if (asked === 2) both.resolve(undefined);
      return path === '/oauth/token' ? both.promise : undefined;
    });
    const [one, other] = (await Promise.all([
      run(refreshing, {}, proxy.origin),
      run(refreshing, {}, proxy.origin),
    ])) as [number[], string][];
    expect(one).toEqual(other);
    expect(one![0]).toEqual([1, 1]);
    expect(one![1]).not.toBe(first);
    await proxy.close();

    const program = {
      python: `
app = app_of(args["path"])
alive = app.is_connected("demo")
shop = app.client("demo")
shop.brands.list().page()
app_of(args["path"]).uninstall("demo")
print(json.dumps([alive, failure(lambda: shop.brands.list().page()).code, app.is_connected("demo"), TokenStore(args["path"]).get("demo")]))
`,
      php: `
$app = app_of($args['path']);
$alive = $app->isConnected('demo');
$shop = $app->client('demo');
$shop->brands->list()->page();
app_of($args['path'])->uninstall('demo');
show([$alive, failure(fn () => $shop->brands->list()->page())->code, $app->isConnected('demo'), (new FileStore($args['path']))->get('demo')]);
`,
    };
    expect(await run(program)).toEqual([true, 'not_connected', false, null]);
  });

  it.each(cutPoints.filter((point) => point !== 'silent'))(
    'keeps its connection when the refresh is cut: %s',
    async (point) => {
      await connect();
      const proxy = await startCuttingProxy(demo.origin);
      let cuts = 2;
      proxy.follow(({ path }) => (path === '/oauth/token' && cuts-- > 0 ? point : undefined));
      const [lists, successor] = (await run(refreshing, {}, proxy.origin)) as [number[], string];
      await proxy.close();
      expect(lists).toEqual([1, 1]);
      // The successor is the only one: it refreshes in its turn.
      const [again, next] = (await run(refreshing)) as [number[], string];
      expect(again).toEqual([1, 1]);
      expect(next).not.toBe(successor);
    },
  );

  it('leaves the connection to the next process when one dies between refresh and store', async () => {
    const { refresh_token: first } = await connect();
    const dying = {
      python: `
class Dying(TokenStore):
    def compare_and_set(self, store, expected, next):
        print(json.dumps([self.get(store)["refresh_token"], next["refresh_token"]]), flush=True)
        os._exit(0)
tokens = TokenStore(args["path"])
stored = tokens.get("demo")
tokens.compare_and_set("demo", stored, {**stored, "expires_at": 0})
app_of(args["path"], Dying).client("demo").brands.list().page()
`,
      php: `
final class Dying implements TokenStore
{
    private FileStore $tokens;

    public function __construct(string $path)
    {
        $this->tokens = new FileStore($path);
    }

    public function get(string $store): ?array
    {
        return $this->tokens->get($store);
    }

    public function compareAndSet(string $store, ?array $expected, ?array $next): bool
    {
        show([$this->get($store)['refresh_token'], $next['refresh_token']]);
        exit(0);
    }
}
$tokens = new FileStore($args['path']);
$stored = $tokens->get('demo');
$tokens->compareAndSet('demo', $stored, [...$stored, 'expires_at' => 0]);
app_of($args['path'], Dying::class)->client('demo')->brands->list()->page();
`,
    };
    const [kept, lost] = (await run(dying)) as [string, string];
    expect(kept).toBe(first);
    expect(await run(refreshing)).toEqual([[1, 1], lost]);
  });
});
