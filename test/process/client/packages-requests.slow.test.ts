import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect as connectTo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { decodeDates } from '../../../src/client/core/dates.ts';
import {
  type FakeAnswer,
  describeInEach,
  type PackageKit,
  type PackageRequest,
  type Programs,
  startFakeService,
} from '../../support/node/client/packages.ts';
import { createCertificate } from '../../support/node/receivers/certificates.ts';

/**
 * Runs a program against a service that answers as `respond` says. Returns what it prints, and what
 * it sent.
 */
async function runAgainst(
  kit: PackageKit,
  respond: (request: PackageRequest, count: number) => FakeAnswer,
  programs: Programs,
  args: unknown = null,
) {
  const { url, sent, close } = await startFakeService(respond);
  try {
    return { printed: await kit.run(programs, url, args), sent };
  } finally {
    await close();
  }
}

const refused = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
): FakeAnswer => ({
  status,
  headers,
  body: { message: 'Refused', status_code: status, code, hint: 'Do something.', request_id: 'r1' },
});

describeInEach('a call', (kit) => {
  it('keeps its idempotency key over repetitions, and has one of its own', async () => {
    const { sent } = await runAgainst(kit, (_request, count) => (count === 1 ? 'lost' : {}), {
      python: `
shop = connect()
for _ in range(2):
    shop.request("POST", "/catalog/brands", body={"name": "Sol"})
shop.request("POST", "/catalog/brands", body={"name": "Sol"}, idempotency_key="own")
print("null")
`,
      php: `
$shop = connect();
foreach ([1, 2] as $_) {
    $shop->request('POST', '/catalog/brands', body: ['name' => 'Sol']);
}
$shop->request('POST', '/catalog/brands', body: ['name' => 'Sol'], idempotencyKey: 'own');
show(null);
`,
    });
    const keys = sent.map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(keys[3]).toBe('own');
  });

  it.each<[code: string, status: number, answer: FakeAnswer]>([
    ['network', 0, 'lost'],
    ['rate_limited', 429, refused(429, 'rate_limited', { 'Retry-After': '0' })],
    ['unavailable', 503, refused(503, 'unavailable')],
    ['request_under_way', 409, refused(409, 'request_under_way')],
    ['unexpected_answer', 502, { status: 502, headers: { 'Content-Type': 'text/html' } }],
    ['network', 0, { body: '{"da' }],
  ])(
    'is repeated after %s (%s), at most as often as retries says',
    async (code, status, answer) => {
      const { printed, sent } = await runAgainst(kit, () => answer, {
        python: `
error = failure(lambda: connect(retries=2).request("GET", "/catalog/brands"))
print(json.dumps([error.code, error.status]))
`,
        php: `
$error = failure(fn () => connect(retries: 2)->request('GET', '/catalog/brands'));
show([$error->code, $error->status]);
`,
      });
      expect(printed).toEqual([code, status]);
      expect(sent).toHaveLength(3);
    },
  );

  it.each<[code: string, answer: FakeAnswer]>([
    ['not_found', refused(404, 'not_found')],
    ['answer_lost', refused(409, 'answer_lost')],
    ['internal_error', refused(500, 'internal_error')],
    ['event_budget', refused(429, 'event_budget', { 'Retry-After': '3600' })],
    [
      'unavailable',
      refused(503, 'unavailable', {
        'Retry-After': new Date(Date.now() + 3_600_000).toUTCString(),
      }),
    ],
  ])('is not repeated after %s', async (code, answer) => {
    const { printed, sent } = await runAgainst(kit, () => answer, {
      python:
        'print(json.dumps(failure(lambda: connect().request("DELETE", "/catalog/brands/1")).code))',
      php: `
show(failure(fn () => connect()->request('DELETE', '/catalog/brands/1'))->code);
`,
    });
    expect(printed).toBe(code);
    expect(sent).toHaveLength(1);
  });

  it('waits as long as Retry-After says', async () => {
    const times: number[] = [];
    await runAgainst(
      kit,
      (_request, count) => {
        times.push(Date.now());
        return count === 1 ? refused(429, 'rate_limited', { 'Retry-After': '2' }) : {};
      },
      {
        python: 'print(json.dumps(connect().request("GET", "/x")))',
        php: `
show(connect()->request('GET', '/x'));
`,
      },
    );
    expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(1_950);
  });

  it('sends lists joined by commas, dates as ISO 8601, decimals as numbers, and the conditions', async () => {
    const { sent } = await runAgainst(kit, () => ({ body: { data: [] } }), {
      python: `
shop = connect(strict=True)
at = datetime.datetime(2031, 3, 5, 12, 4, 7, tzinfo=datetime.timezone.utc)
query = {"status": ["paid", "sent"], "since": at, "q": None, "new": True, "text": "a b&c"}
shop.request("GET", "/orders", query=query, if_none_match='"a"')
shop.request("PUT", "/orders/1", body={"at": at, "price": decimal.Decimal("9.90"), "name": "Sol é"}, if_match='"a"')
shop.request("GET", "/orders with spaces")
print("null")
`,
      php: `
$shop = connect(strict: true);
$at = new DateTimeImmutable('2031-03-05T12:04:07Z');
$query = ['status' => ['paid', 'sent'], 'since' => $at, 'q' => null, 'new' => true, 'text' => 'a b&c'];
$shop->request('GET', '/orders', query: $query, ifNoneMatch: '"a"');
$shop->request('PUT', '/orders/1', body: ['at' => $at, 'price' => 9.90, 'name' => 'Sol é'], ifMatch: '"a"');
$shop->request('GET', '/orders with spaces');
show(null);
`,
    });
    expect(sent.map(({ path }) => path)).toEqual([
      '/v2/demo/orders?status=paid%2Csent&since=2031-03-05T12%3A04%3A07%2B00%3A00&new=true&text=a+b%26c',
      '/v2/demo/orders/1',
      '/v2/demo/orders%20with%20spaces',
    ]);
    expect(sent[0]?.headers).toMatchObject({ 'if-none-match': '"a"', prefer: 'handling=strict' });
    expect(sent[0]?.headers).not.toHaveProperty('idempotency-key');
    expect(sent[1]?.headers).toMatchObject({ 'if-match': '"a"' });
    expect(sent[1]?.body).toBe('{"at":"2031-03-05T12:04:07+00:00","price":9.9,"name":"Sol é"}');
  });

  it('reads dates as the TypeScript client does, and leaves bodies of any operation as they were sent', async () => {
    const zoned = (date: string, timezone: string) => ({ date, timezone_type: 3, timezone });
    const record = {
      id: 7,
      // In these hours the clock repeats one, and skips one.
      created_at: zoned('2026-11-01 1:30:00.250000', 'America/New_York'),
      skipped: zoned('2026-03-08 2:30:00', 'America/New_York'),
      repeated: zoned('2026-10-25 1:30:00', 'Europe/London'),
      after: zoned('2026-10-25 2:00:00', 'Europe/London'),
      none: null,
      time: '2026-07-01 09:04:07',
      updated_at: '2031-03-05T12:04:07Z',
      expire_in: 'soon',
      name: '2026-07-01 09:04:07',
    };
    const { printed } = await runAgainst(kit, () => ({ body: { data: [record], meta: {} } }), {
      python: `
shop = connect()
at = lambda value: value.astimezone(datetime.timezone.utc).isoformat() if isinstance(value, datetime.datetime) else value
read = shop.brands.list().all()[0]
sent = [shop.request("GET", "/catalog/brands")["data"][0], shop.walk("/catalog/brands").all()[0]]
print(json.dumps([{name: at(value) for name, value in read.items()}, str(read["created_at"].tzinfo), *sent]))
`,
      php: `
$shop = connect();
$utc = new DateTimeZone('UTC');
$at = fn (mixed $value): mixed => $value instanceof DateTimeImmutable ? $value->setTimezone($utc)->format('Y-m-d\\TH:i:s.uP') : $value;
$read = $shop->brands->list()->all()[0];
$sent = [$shop->request('GET', '/catalog/brands')['data'][0], $shop->walk('/catalog/brands')->all()[0]];
show([array_map($at, $read), $read['created_at']->getTimezone()->getName(), ...$sent]);
`,
    });
    const [read, zone, ...sent] = printed as [Record<string, unknown>, string, ...object[]];
    const decoded = decodeDates(record, new Set(['time', 'updated_at', 'expire_in']));
    const instants = Object.entries(read).map(([name, value]) => [
      name,
      /^\d{4}.*T.*\+00:00$/.test(String(value)) ? new Date(String(value)) : value,
    ]);
    expect(Object.fromEntries(instants)).toEqual(decoded);
    expect(zone).toBe('America/New_York');
    expect(sent).toEqual([record, record]);
  });

  it('skips the holes of lists, and sends dates, enums, sets and lists with gaps as what they stand for', async () => {
    const { sent } = await runAgainst(kit, () => ({ body: { data: [] } }), {
      python: `
import enum
class Status(enum.Enum):
    PAID = "paid"
class Word(str, enum.Enum):
    SENT = "sent"
at = datetime.datetime(2031, 3, 5, 12, 4, 7, 500000, tzinfo=datetime.timezone.utc)
shop = connect()
query = {"status": [Status.PAID, None, Word.SENT], "ids": (id for id in (None, 4)), "days": [at, None], "word": Word.SENT,
    "new": [True, False], "price": decimal.Decimal("9.90"), "day": at.date(), "include": [None], "name": None, "q": ""}
shop.request("GET", "/orders", query=query)
shop.walk("/orders", {"include": [], "status": [None, "paid"]}).page()
shop.request("PUT", "/x", body={"ids": {4}, "at": [at], "status": Status.PAID, "word": Word.SENT, "none": None, "map": {}})
print("null")
`,
      php: `
enum Status: string
{
    case Paid = 'paid';
    case Sent = 'sent';
}
$at = new DateTimeImmutable('2031-03-05T12:04:07.5Z');
$shop = connect();
$ids = (function () {
    yield null;
    yield 4;
})();
$query = ['status' => [Status::Paid, null, Status::Sent], 'ids' => $ids, 'days' => [$at, null], 'word' => Status::Sent,
    'new' => [true, false], 'price' => 9.90, 'day' => '2031-03-05', 'include' => [null], 'name' => null, 'q' => ''];
$shop->request('GET', '/orders', query: $query);
$shop->walk('/orders', ['include' => [], 'status' => [null, 'paid']])->page();
$shop->request('PUT', '/x', body: ['ids' => array_filter([3, 4], fn (int $id): bool => $id > 3), 'at' => new ArrayObject([2 => $at]),
    'status' => Status::Paid, 'word' => Status::Sent, 'none' => null, 'map' => new stdClass()]);
show(null);
`,
    });
    const [first, second, change] = sent;
    const day = '2031-03-05T12:04:07.500000+00:00';
    expect(decodeURIComponent(first?.path ?? '')).toBe(
      `/v2/demo/orders?status=paid,sent&ids=4&days=${day}&word=sent&new=true,false&price=9.9&day=2031-03-05&q=`,
    );
    expect(second?.path).toBe('/v2/demo/orders?status=paid');
    expect(JSON.parse(change?.body ?? '')).toEqual({
      ids: [4],
      at: [day],
      status: 'paid',
      word: 'sent',
      none: null,
      map: {},
    });
  });

  it('sends nothing for a list without values, an object in a query, and NaN', async () => {
    const { printed, sent } = await runAgainst(kit, () => ({}), {
      python: `
def message(call):
    try:
        return repr(call())
    except (TypeError, ValueError) as error:
        return str(error)
shop = connect()
print(json.dumps([message(lambda: shop.walk("/orders", query).all())[:30] for query in (
    {"status": []}, {"status": [None]}, {"status": ()}, {"status": [""]}, {"status": {"a": 1}},
)] + [message(lambda: shop.request("PUT", "/x", body={"price": value}))[:3] for value in (math.nan, decimal.Decimal("inf"))]))
`,
      php: `
function message(callable $call): mixed
{
    try {
        return print_r($call(), true);
    } catch (InvalidArgumentException | JsonException $error) {
        return $error->getMessage();
    }
}
$shop = connect();
$queries = [['status' => []], ['status' => [null]], ['status' => new ArrayIterator()], ['status' => ['']], ['status' => new stdClass()]];
$messages = array_map(fn (array $query): string => substr(message(fn () => $shop->walk('/orders', $query)->all()), 0, 30), $queries);
foreach ([NAN, INF] as $value) {
    // "Inf and NaN cannot be JSON encoded"
    $messages[] = message(fn () => $shop->request('PUT', '/x', body: ['price' => $value])) === 'Inf and NaN cannot be JSON encoded' ? 'Out' : '';
}
show($messages);
`,
    });
    const list = 'status is a list without value';
    expect(printed).toEqual([
      list,
      list,
      list,
      list,
      'status must be a value or a li',
      'Out',
      'Out',
    ]);
    expect(sent).toEqual([]);
  });

  it('never follows a link to another host, nor a redirect', async () => {
    const next = (url: string) => ({ meta: { pagination: { links: { next: url } } } });
    const { printed, sent } = await runAgainst(
      kit,
      (_request, count) => {
        if (count === 3) return { status: 302, headers: { Location: 'http://127.0.0.1:1/' } };
        const link = count === 1 ? 'https://evil.test/v2/demo/x?cursor=2' : '';
        return { body: { data: [count], ...next(link) } };
      },
      {
        python:
          'print(json.dumps([connect().walk("/x").all(), failure(lambda: connect().request("GET", "/x")).status]))',
        php: `
show([connect()->walk('/x')->all(), failure(fn () => connect()->request('GET', '/x'))->status]);
`,
      },
    );
    expect(printed).toEqual([[1, 2], 302]);
    expect(sent.map(({ path }) => path)).toEqual([
      '/v2/demo/x?limit=100',
      '/v2/demo/x?cursor=2',
      '/v2/demo/x',
    ]);
  });

  it('sends a GET with a body, or with an address of more than 4,000 characters, as QUERY', async () => {
    const address = '/v2/demo/x?name=';
    const name = 'x'.repeat(4_000 - address.length);
    const { sent } = await runAgainst(
      kit,
      () => ({ body: { data: [1], meta: {} } }),
      {
        python: `
shop = connect()
for name in (args, args + "é?"):
    shop.walk("/x", {"name": name}).page()
shop.request("GET", "/catalog/categories", body={"active": True})
print("null")
`,
        php: `
$shop = connect();
foreach ([$args, "{$args}é?"] as $name) {
    $shop->walk('/x', ['name' => $name])->page();
}
$shop->request('GET', '/catalog/categories', body: ['active' => true]);
show(null);
`,
      },
      name,
    );
    const form = 'application/x-www-form-urlencoded';
    expect(
      sent.map(({ method, path, body, headers }) => [
        method,
        path,
        body,
        headers['content-type'],
        headers['idempotency-key'],
      ]),
    ).toEqual([
      ['GET', address + name, '', undefined, undefined],
      ['QUERY', '/v2/demo/x', `name=${name}%C3%A9%3F`, form, undefined],
      ['QUERY', '/v2/demo/catalog/categories', '{"active":true}', 'application/json', undefined],
    ]);
  });

  it('walks a list with smaller pages when an answer would be too large', async () => {
    const { printed, sent } = await runAgainst(
      kit,
      ({ path }) =>
        path.includes('limit=100')
          ? refused(400, 'answer_too_large')
          : { body: { data: [1], meta: {} } },
      {
        python: 'print(json.dumps(connect().walk("/x", {"include": ["skus"]}).all()))',
        php: `
show(connect()->walk('/x', ['include' => ['skus']])->all());
`,
      },
    );
    expect(printed).toEqual([1]);
    expect(sent.map(({ path }) => path)).toEqual([
      '/v2/demo/x?limit=100&include=skus',
      '/v2/demo/x?limit=25&include=skus',
    ]);
  });

  it('keeps one connection for calls in turn, opens another when the service has ended it, and shares none with a child', async () => {
    const { sent } = await runAgainst(
      kit,
      (_request, count) => (count === 4 ? { headers: { Connection: 'close' } } : {}),
      {
        python: `
shop = connect(retries=0)
for _ in range(6):
    shop.request("GET", "/x")
if os.fork() == 0:
    shop.request("GET", "/child")
    os._exit(0)
os.wait()
shop.request("GET", "/parent")
print("null")
`,
        php: `
$shop = connect(retries: 0);
for ($count = 0; $count < 6; $count += 1) {
    $shop->request('GET', '/x');
}
if (pcntl_fork() === 0) {
    $shop->request('GET', '/child');
    exit(0);
}
pcntl_wait($status);
$shop->request('GET', '/parent');
show(null);
`,
      },
    );
    expect(sent.map(({ connection }) => connection)).toEqual([1, 1, 1, 1, 2, 2, 3, 2]);
  });

  it('trusts the certificates of its context only, and goes through the proxy of the environment', async () => {
    const identity = createCertificate({ name: 'localhost' });
    const service = await startFakeService(({ path }) => ({ body: { path } }), identity);
    const tunnels: (string | undefined)[] = [];
    const sockets = new Set<Socket>();
    const proxy = createServer();
    proxy.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
      tunnels.push(headers['proxy-authorization']);
      const upstream = connectTo(Number(url.split(':')[1]), '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      for (const socket of [client, upstream]) sockets.add(socket.on('error', () => undefined));
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const program = {
      python: `
for name in ("https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
    os.environ.pop(name, None)
untrusted = failure(lambda: connect(retries=0).request("GET", "/untrusted"))
context = ssl.create_default_context(cadata=args["certificate"])
answers = [connect(ssl_context=context).request("GET", "/direct")]
os.environ["https_proxy"] = args["proxy"]
shop = connect(ssl_context=context)
answers += [shop.request("GET", "/tunnel"), shop.request("GET", "/tunnel")]
os.environ["no_proxy"] = "localhost"
answers.append(connect(ssl_context=context).request("GET", "/beside"))
print(json.dumps([untrusted.code, "SSLCertVerificationError" in untrusted.hint, [answer["path"] for answer in answers]]))
`,
      php: `
foreach (['https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'] as $name) {
    putenv($name);
}
$untrusted = failure(fn () => connect(retries: 0)->request('GET', '/untrusted'));
$file = tempnam(sys_get_temp_dir(), 'certificate');
file_put_contents($file, $args['certificate']);
$answers = [connect(caFile: $file)->request('GET', '/direct')];
putenv("https_proxy={$args['proxy']}");
$shop = connect(caFile: $file);
array_push($answers, $shop->request('GET', '/tunnel'), $shop->request('GET', '/tunnel'));
putenv('no_proxy=localhost');
$answers[] = connect(caFile: $file)->request('GET', '/beside');
unlink($file);
show([$untrusted->code, str_contains($untrusted->hint, 'certificate'), array_column($answers, 'path')]);
`,
    };
    const { port } = proxy.address() as AddressInfo;
    const args = { certificate: identity.cert, proxy: `http://me:p%40ss@127.0.0.1:${port}` };
    const paths = ['direct', 'tunnel', 'tunnel', 'beside'].map((name) => `/v2/demo/${name}`);
    expect(await kit.run(program, service.url, args)).toEqual(['network', true, paths]);
    expect(tunnels).toEqual([`Basic ${Buffer.from('me:p@ss').toString('base64')}`]);
    expect(service.sent.map(({ path }) => path)).toEqual(paths);
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await service.close();
  });

  it('has errors that say what to do, and hold no credentials', async () => {
    const body = {
      message: '422 Unprocessable Entity',
      status_code: 422,
      code: 'invalid_body',
      errors: { name: ['Must not be empty.'] },
      hint: 'Correct the fields.',
      request_id: 'r1',
      documentation_url: 'https://api.test/docs/guides/errors#invalid_body',
    };
    const { printed } = await runAgainst(
      kit,
      ({ path }) =>
        path.endsWith('/key') ? refused(401, 'unauthenticated') : { status: 422, body },
      {
        python: `
error = failure(lambda: connect().request("POST", "/x", body={}))
held = str(vars(error)) + repr(error) + repr(error.__cause__) + repr(error.__context__)
wrong = failure(lambda: connect().request("GET", "/key"))
print(json.dumps([str(error), error.request_id, error.documentation_url, "sk_demo" in held or "demo-user-token" in held, str(wrong)]))
`,
        php: `
$error = failure(fn () => connect()->request('POST', '/x', body: []));
$held = print_r($error, true) . serialize($error->getTrace()) . print_r(connect(), true);
$wrong = failure(fn () => connect()->request('GET', '/key'));
$isHeld = str_contains($held, 'sk_demo') || str_contains($held, 'demo-user-token');
show([$error->getMessage(), $error->requestId, $error->documentationUrl, $isHeld, $wrong->getMessage()]);
`,
      },
    );
    expect(printed).toEqual([
      '422 invalid_body: Correct the fields.\n  name: Must not be empty.',
      'r1',
      body.documentation_url,
      false,
      '401 unauthenticated: Do something. token was sent as User-Token, secret as User-Secret-Key.',
    ]);
  });

  it('refuses a configuration and arguments that cannot work before it sends anything', async () => {
    const { printed, sent } = await runAgainst(kit, () => ({}), {
      python: `
def message(call):
    try:
        return repr(call())
    except (TypeError, ValueError) as error:
        return str(error)
shop = connect()
print(json.dumps([message(call) for call in (
    lambda: connect(token=""),
    lambda: connect(secret="b\\nc"),
    lambda: connect(store="a b"),
    lambda: connect(base_url="api.example.com"),
    lambda: connect(unknown=1),
    lambda: shop.brands.show(".."),
    lambda: shop.brands.show(),
    lambda: shop.brands.show(1, {}, {}),
)]))
`,
      php: `
function message(callable $call): mixed
{
    try {
        return print_r($call(), true);
    } catch (InvalidArgumentException | Error $error) {
        return $error->getMessage();
    }
}
$shop = connect();
show(array_map(message(...), [
    fn () => connect(token: ''),
    fn () => connect(secret: "b\\nc"),
    fn () => connect(store: 'a b'),
    fn () => connect(baseUrl: 'api.example.com'),
    fn () => connect(unknown: 1),
    fn () => $shop->brands->show('..'),
    fn () => $shop->brands->show(),
    fn () => $shop->brands->show(1, [], []),
]));
`,
    });
    expect(printed).toEqual([
      'token must be a text without spaces. It is sent as User-Token.',
      'secret must be a text without spaces. It is sent as User-Secret-Key.',
      'store must be the alias of a store.',
      `${kit.language === 'php' ? 'baseUrl' : 'base_url'} must be an address such as https://api.example.com.`,
      expect.stringMatching(
        /unexpected keyword argument 'unknown'|Unknown named parameter \$unknown/,
      ),
      'brands.show needs id.',
      'brands.show needs id.',
      'brands.show takes fewer arguments.',
    ]);
    expect(sent).toEqual([]);
  });
});

describeInEach('an app', (kit) => {
  /**
   * Begins the programs of an app: its tokens are in memory, and `kept` is what `authorize_url`
   * returned.
   */
  const appHead: Programs = {
    python: `
class Memory:
    def __init__(self, generation=None, expires_at=0):
        self.kept = None if generation is None else tokens_of(generation, expires_at)
        self.steps = []
    def get(self, store):
        return self.kept
    def compare_and_set(self, store, expected, next):
        fits = (self.kept or {}).get("refresh_token") == (expected or {}).get("refresh_token")
        self.steps.append([(expected or {}).get("refresh_token"), (next or {}).get("refresh_token"), fits])
        if fits:
            self.kept = next
        return fits
def tokens_of(generation, expires_at):
    return {"access_token": f"access-{generation}", "refresh_token": f"refresh-{generation}", "expires_at": expires_at}
def app_with(memory, **options):
    return app_of(None, lambda path: memory, **{"client_id": "app", "redirect_uri": "https://app.test/callback", **options})
kept = {"state": "state-1", "verifier": "verifier-1", "redirect_uri": "https://app.test/callback"}
later = 9e9
`,
    php: `
class Memory implements TokenStore
{
    public ?array $kept;
    public array $steps = [];
    public bool $isFull = false;

    public function __construct(?int $generation = null, float $expiresAt = 0)
    {
        $this->kept = $generation === null ? null : tokens_of($generation, $expiresAt);
    }

    public function get(string $store): ?array
    {
        return $this->kept;
    }

    public function compareAndSet(string $store, ?array $expected, ?array $next): bool
    {
        if ($this->isFull) {
            throw new OverflowException();
        }
        $isFitting = ($this->kept['refresh_token'] ?? null) === ($expected['refresh_token'] ?? null);
        $this->steps[] = [$expected['refresh_token'] ?? null, $next['refresh_token'] ?? null, $isFitting];
        if ($isFitting) {
            $this->kept = $next;
        }
        return $isFitting;
    }
}
function tokens_of(int $generation, float $expiresAt): array
{
    return ['access_token' => "access-$generation", 'refresh_token' => "refresh-$generation", 'expires_at' => $expiresAt];
}
function app_with(Memory $memory, mixed ...$options): OAuthApp
{
    return app_of(null, $memory, ...['clientId' => 'app', 'redirectUri' => 'https://app.test/callback', ...$options]);
}
$kept = ['state' => 'state-1', 'verifier' => 'verifier-1', 'redirect_uri' => 'https://app.test/callback'];
$later = 9e9;
`,
  };

  /**
   * An authorization server that gives the tokens of a generation for each form; `before` replaces
   * an answer.
   */
  const server = (
    before: (form: Record<string, string>, count: number) => FakeAnswer | undefined,
  ) => {
    const forms: Record<string, string>[] = [];
    let generation = 1;
    const respond = ({ path, body, headers }: PackageRequest): FakeAnswer => {
      if (!path.startsWith('/oauth/')) {
        return headers.authorization === `Bearer access-${generation}`
          ? { body: { ok: true } }
          : refused(401, 'unauthenticated');
      }
      const form = { path, ...Object.fromEntries(new URLSearchParams(body)) };
      forms.push(form);
      const replaced = before(form, forms.length);
      if (replaced !== undefined) return replaced;
      if (path === '/oauth/revoke') return {};
      const isCode = 'code' in form;
      if (!isCode) generation += 1;
      return {
        body: {
          token_type: 'Bearer',
          access_token: `access-${generation}`,
          refresh_token: `refresh-${generation}`,
          expires_in: 600,
          ...(isCode && { merchant: 'demo', scope: 'orders.read catalog.read' }),
        },
      };
    };
    return { forms, respond };
  };

  it('has the fields of the specification, a challenge of the kept verifier, and new values each time', async () => {
    const { printed } = await runAgainst(kit, () => ({}), {
      python: `${appHead.python}
app = app_with(Memory())
print(json.dumps([app.authorize_url(["orders.read", "catalog.read"]), app.authorize_url()]))
`,
      php: `${appHead.php}
$app = app_with(new Memory());
show([$app->authorizeUrl(['orders.read', 'catalog.read']), $app->authorizeUrl()]);
`,
    });
    type Begun = [address: string, kept: { state: string; verifier: string }];
    const [[address, kept], [other, otherKept]] = printed as [Begun, Begun];
    const { pathname, searchParams } = new URL(address);
    expect(pathname).toBe('/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: 'https://app.test/callback',
      state: kept.state,
      code_challenge: createHash('sha256').update(kept.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'orders.read catalog.read',
    });
    expect(kept.verifier).toMatch(/^[\w-]{43}$/);
    expect(otherKept.verifier).not.toBe(kept.verifier);
    expect(otherKept.state).not.toBe(kept.state);
    expect(new URL(other).searchParams.has('scope')).toBe(false);
  });

  it('exchanges a code, stores the tokens, and ends an older connection', async () => {
    const { forms, respond } = server(({ token }) => (token === undefined ? undefined : 'lost'));
    const { printed } = await runAgainst(kit, respond, {
      python: `${appHead.python}
memory = Memory(7)
app = app_with(memory, retries=0)
connection = app.exchange(f"https://app.test/callback?code=c&state=state-1&iss={url}&merchant=altered", kept)
same = memory.kept == connection["tokens"]
print(json.dumps([connection["store"], connection["scopes"], same, app.client("demo").request("GET", "/x"), app.is_connected("demo")]))
`,
      php: `${appHead.php}
$memory = new Memory(7);
$app = app_with($memory, retries: 0);
$connection = $app->exchange("https://app.test/callback?code=c&state=state-1&iss=$url&merchant=altered", $kept);
$same = $memory->kept === $connection['tokens'];
show([$connection['store'], $connection['scopes'], $same, $app->client('demo')->request('GET', '/x'), $app->isConnected('demo')]);
`,
    });
    expect(printed).toEqual(['demo', ['orders.read', 'catalog.read'], true, { ok: true }, true]);
    expect(forms).toEqual([
      {
        path: '/oauth/token',
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: 'https://app.test/callback',
        code: 'c',
        code_verifier: 'verifier-1',
      },
      { path: '/oauth/revoke', client_id: 'app', token: 'refresh-7' },
    ]);
  });

  it('refuses an answer that is not that of its authorization, before it sends anything', async () => {
    const queries = [
      'code=c&state=other',
      'code=c',
      'error=access_denied&state=other',
      'code=c&state=state-1&iss=https://evil.test',
      'error=access_denied&state=state-1&iss=',
      'error=access_denied&state=state-1',
      'error=invalid_scope&error_description=No.&state=state-1',
      'state=state-1',
      'code=a&state=state-1&code=b',
    ];
    const { printed, sent } = await runAgainst(
      kit,
      () => ({}),
      {
        python: `${appHead.python}
app = app_with(Memory())
refused = [failure(lambda: app.exchange("https://app.test/callback?" + query, kept)).code for query in args]
print(json.dumps(refused + [failure(lambda: app.exchange("https://app.test/callback?code=a&state=", None)).code]))
`,
        php: `${appHead.php}
$app = app_with(new Memory());
$codeOf = fn (string $query, ?array $kept) => failure(fn () => $app->exchange("https://app.test/callback?$query", $kept))->code;
show([...array_map(fn (string $query) => $codeOf($query, $kept), $args), $codeOf('code=a&state=', null)]);
`,
      },
      queries,
    );
    expect(printed).toEqual([
      'state_mismatch',
      'state_mismatch',
      'state_mismatch',
      'issuer_mismatch',
      'issuer_mismatch',
      'access_denied',
      'invalid_scope',
      'invalid_callback',
      'invalid_callback',
      'state_mismatch',
    ]);
    expect(sent).toEqual([]);
  });

  it('never repeats a code whose answer was lost, but one that was refused for now', async () => {
    const answers: (FakeAnswer | undefined)[] = [
      'lost',
      { status: 502, body: '' },
      { body: '<html>', headers: { 'Content-Type': 'text/html' } },
      { status: 400, body: { error: 'invalid_grant', hint: 'Expired.' } },
      refused(503, 'unavailable'),
      undefined,
    ];
    const { forms, respond } = server((_form, count) => answers[count - 1]);
    const { printed, sent } = await runAgainst(kit, respond, {
      python: `${appHead.python}
app = app_with(Memory())
exchange = lambda: app.exchange("https://app.test/callback?code=secret-code&state=state-1", kept)
failures = [failure(exchange) for _ in range(4)]
held = "".join(repr(vars(error)) + repr(error.__cause__) for error in failures)
print(json.dumps([[error.code for error in failures], "secret-code" in held or "verifier-1" in held, exchange()["store"]]))
`,
      php: `${appHead.php}
$app = app_with(new Memory());
$exchange = fn () => $app->exchange('https://app.test/callback?code=secret-code&state=state-1', $kept);
$failures = array_map(fn () => failure($exchange), range(1, 4));
$held = implode(array_map(fn (ApiError $error) => print_r($error, true), $failures));
$isHeld = str_contains($held, 'secret-code') || str_contains($held, 'verifier-1');
show([array_map(fn (ApiError $error) => $error->code, $failures), $isHeld, $exchange()['store']]);
`,
    });
    const codes = ['network', 'unexpected_answer', 'unexpected_answer', 'invalid_grant'];
    expect(printed).toEqual([codes, false, 'demo']);
    expect(forms).toHaveLength(6);
    // A kept connection may have ended unseen, which would lose the code.
    expect(new Set(sent.map(({ connection }) => connection)).size).toBe(6);
  });

  it('refreshes once for concurrent calls, and stores tokens before it uses them', async () => {
    const { forms, respond } = server(() => undefined);
    const { printed, sent } = await runAgainst(kit, respond, {
      python: `${appHead.python}
memory = Memory(1)
shop = app_with(memory).client("demo")
class Full(Exception):
    pass
def full(*args):
    raise Full()
set, memory.compare_and_set = memory.compare_and_set, full
try:
    shop.request("GET", "/x")
except Full:
    memory.compare_and_set = set
threads = [threading.Thread(target=lambda: shop.request("GET", "/x")) for _ in range(5)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps([memory.steps, memory.kept["access_token"]]))
`,
      php: `${appHead.php}
$memory = new Memory(1);
$shop = app_with($memory)->client('demo');
$memory->isFull = true;
try {
    $shop->request('GET', '/x');
} catch (OverflowException) {
    $memory->isFull = false;
}
foreach (range(1, 5) as $_) {
    $shop->request('GET', '/x');
}
show([$memory->steps, $memory->kept['access_token']]);
`,
    });
    expect(printed).toEqual([[['refresh-1', 'refresh-2', true]], 'access-2']);
    expect(forms.map((form) => form.refresh_token)).toEqual(['refresh-1']);
    const calls = sent.filter(({ path }) => path === '/v2/demo/x');
    expect(calls.map(({ headers }) => headers.authorization)).toEqual(
      Array.from({ length: 5 }, () => 'Bearer access-2'),
    );
  });

  it('answers a 401 by one refresh and one repetition, and takes what another process has stored', async () => {
    const { forms, respond } = server(() => undefined);
    const { printed } = await runAgainst(kit, respond, {
      python: `${appHead.python}
memory = Memory(1, later * 1000)
shop = app_with(memory).client("demo")
answers = [shop.request("GET", "/x")]
memory.kept = tokens_of(0, later)
stale = app_with(memory).client("demo")
answers.append(stale.request("GET", "/x"))
answers.append(shop.request("GET", "/x"))
print(json.dumps([answers, memory.kept["refresh_token"]]))
`,
      php: `${appHead.php}
$memory = new Memory(1, $later * 1000);
$shop = app_with($memory)->client('demo');
$answers = [$shop->request('GET', '/x')];
$memory->kept = tokens_of(0, $later);
$stale = app_with($memory)->client('demo');
$answers[] = $stale->request('GET', '/x');
$answers[] = $shop->request('GET', '/x');
show([$answers, $memory->kept['refresh_token']]);
`,
    });
    const ok = { ok: true };
    expect(printed).toEqual([[ok, ok, ok], 'refresh-2']);
    expect(forms.map((form) => form.refresh_token)).toEqual(['refresh-0']);
  });

  it('gives up a repetition when another process has stored a successor meanwhile', async () => {
    const { forms, respond } = server((_form, count) => (count === 1 ? 'lost' : undefined));
    const { printed } = await runAgainst(kit, respond, {
      python: `${appHead.python}
class Overtaken(Memory):
    reads = 0
    def get(self, store):
        self.reads += 1
        if self.reads == 2:
            self.kept = tokens_of(1, later)
        return self.kept
memory = Overtaken(0)
print(json.dumps([app_with(memory).client("demo").request("GET", "/x"), memory.steps]))
`,
      php: `${appHead.php}
final class Overtaken extends Memory
{
    private int $reads = 0;

    public function get(string $store): ?array
    {
        $this->reads += 1;
        return $this->kept = $this->reads === 2 ? tokens_of(1, $GLOBALS['later']) : $this->kept;
    }
}
$memory = new Overtaken(0);
show([app_with($memory)->client('demo')->request('GET', '/x'), $memory->steps]);
`,
    });
    expect(printed).toEqual([{ ok: true }, []]);
    expect(forms).toHaveLength(1);
  });

  it('sends no refresh token twice that was refused, and takes the tokens of a new connection', async () => {
    const ended = { status: 400, body: { error: 'invalid_grant' } };
    const { forms, respond } = server((_form, count) => (count === 1 ? ended : undefined));
    const { printed } = await runAgainst(kit, respond, {
      python: `${appHead.python}
memory = Memory(5)
app = app_with(memory)
shop = app.client("demo")
codes = [failure(lambda: shop.request("GET", "/x")).code for _ in range(2)]
codes.append(app.is_connected("demo"))
codes.append(failure(lambda: shop.request("GET", "/x")).code)
memory.kept = tokens_of(1, later)
print(json.dumps([codes, shop.request("GET", "/x")]))
`,
      php: `${appHead.php}
$memory = new Memory(5);
$app = app_with($memory);
$shop = $app->client('demo');
$codes = [failure(fn () => $shop->request('GET', '/x'))->code, failure(fn () => $shop->request('GET', '/x'))->code];
$codes[] = $app->isConnected('demo');
$codes[] = failure(fn () => $shop->request('GET', '/x'))->code;
$memory->kept = tokens_of(1, $later);
show([$codes, $shop->request('GET', '/x')]);
`,
    });
    expect(printed).toEqual([
      ['invalid_grant', 'invalid_grant', false, 'not_connected'],
      { ok: true },
    ]);
    expect(forms).toHaveLength(1);
  });

  it('uses a token that has not expired while the service cannot refresh it', async () => {
    const { respond } = server(() => refused(500, 'internal_error'));
    const { printed } = await runAgainst(kit, respond, {
      python: `${appHead.python}
import time
print(json.dumps(app_with(Memory(1, time.time() + 20)).client("demo").request("GET", "/x")))
`,
      php: `${appHead.php}
show(app_with(new Memory(1, time() + 20))->client('demo')->request('GET', '/x'));
`,
    });
    expect(printed).toEqual({ ok: true });
  });

  it('revokes first and deletes then, so that it can be repeated', async () => {
    const { forms, respond } = server((_form, count) => (count === 1 ? 'lost' : undefined));
    const { printed } = await runAgainst(kit, respond, {
      python: `${appHead.python}
memory = Memory(1, later)
app = app_with(memory, retries=0)
print(json.dumps([failure(lambda: app.uninstall("demo")).code, memory.kept is None, app.uninstall("demo"), app.uninstall("demo"), memory.kept]))
`,
      php: `${appHead.php}
$memory = new Memory(1, $later);
$app = app_with($memory, retries: 0);
show([failure(fn () => $app->uninstall('demo'))->code, $memory->kept === null, $app->uninstall('demo'), $app->uninstall('demo'), $memory->kept]);
`,
    });
    expect(printed).toEqual(['network', false, null, null, null]);
    expect(forms.map((form) => form.token)).toEqual(['refresh-1', 'refresh-1']);
  });
});
