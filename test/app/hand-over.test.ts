import { createExecutionContext, env } from 'cloudflare:test';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handOver } from '../../src/app/hand-over.ts';
import { regionBinding } from '../../src/base/regions.ts';
import { openTimers } from '../support/open-timers.ts';

type Answer = (request: Request) => Promise<Response>;

const hang: Answer = () => new Promise<never>(() => {});
const text = (body: string) => Promise.resolve(new Response(body));

let regions = 0;

/** A service with one region, of a name of its own: what is known of a region stays in the isolate. */
function startRegion(own: Answer = () => text('here')) {
  regions += 1;
  const region = `r${regions}`;
  const asked: Request[] = [];
  const signals: AbortSignal[] = [];
  const state = { answer: hang };
  const worker = {
    fetch: (request: Request, { signal }: { signal: AbortSignal }) => {
      asked.push(request);
      signals.push(signal);
      return state.answer(request);
    },
  };
  const bindings = { ...env, [regionBinding(region)]: worker } as Env;
  const call = (init: RequestInit = {}) => {
    const result = { status: 0, body: '', retryAfter: null as string | null };
    const request = new Request('http://localhost/v2/shop/catalog/brands', init);
    const context = createExecutionContext();
    const done = handOver(region, own, request, bindings, context).then(async (response) => {
      result.body = await response.text();
      result.retryAfter = response.headers.get('Retry-After');
      result.status = response.status;
    });
    return { result, done };
  };
  return { region, asked, signals, state, call };
}

const post = (body: BodyInit): RequestInit => ({ method: 'POST', body });

/** Lets work that waits for no timer end. */
async function settle() {
  for (let turn = 0; turn < 20; turn += 1) await scheduler.wait(0);
}

async function pass(ms: number) {
  await settle();
  await vi.advanceTimersByTimeAsync(ms);
  await settle();
}

const log = vi.spyOn(console, 'error').mockImplementation(() => {});
const alerts = () =>
  log.mock.calls
    .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
    .filter(({ event }) => event === 'region_unreachable')
    .map(({ alert, region, reason }) => ({ alert, region, reason }));

/** The timers that wait for a read or a change. */
let limits: Set<unknown>;

beforeEach(() => {
  log.mockClear();
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  limits = openTimers(4_000, 24_000);
});
afterEach(() => void vi.useRealTimers());

describe('a region whose Worker is silent', () => {
  it('is replaced for a read after its limit (200), and an operator is told once', async () => {
    const { region, asked, signals, call } = startRegion();
    const { result } = call();
    await pass(3_999);
    expect([result.status, alerts()]).toEqual([0, []]);
    await pass(1);
    expect(result).toMatchObject({ status: 200, body: 'here' });
    expect(alerts()).toEqual([{ alert: true, region, reason: 'silent' }]);
    expect([asked.length, signals[0]?.aborted]).toEqual([1, true]);
    expect([...limits]).toEqual([]);
  });

  it('leaves the outcome of a change open, which is said with 503 and Retry-After', async () => {
    const { region, call } = startRegion(() => expect.unreachable());
    const { result } = call(post('{"name":"Unsure"}'));
    await pass(23_999);
    expect(result.status).toBe(0);
    await pass(1);
    expect([result.status, Number(result.retryAfter)]).toEqual([503, 2]);
    expect(JSON.parse(result.body)).toMatchObject({
      code: 'unavailable',
      hint: expect.stringContaining(
        'a write with its Idempotency-Key, since it may have been made',
      ),
    });
    expect(alerts()).toEqual([{ alert: true, region, reason: 'silent' }]);
  });

  it('is passed by for half a minute, and for changes until a read got an answer (200)', async () => {
    const { asked, state, call } = startRegion();
    call();
    await pass(4_000);
    const bodies = async (...inits: RequestInit[]) => {
      const calls = inits.map((init) => call(init));
      await settle();
      return calls.map(({ result }) => result.body);
    };
    expect(await bodies({}, post('1'))).toEqual(['here', 'here']);
    await pass(29_999);
    expect(await bodies({})).toEqual(['here']);
    await pass(1);
    expect([await bodies(post('2')), asked.length]).toEqual([['here'], 1]);
    // One read tries, and the others do not wait for it.
    expect(await bodies({}, {})).toEqual(['', 'here']);
    expect(asked).toHaveLength(2);
    await pass(4_000);
    state.answer = () => text('region');
    expect(await bodies({})).toEqual(['here']);
    await pass(30_000);
    expect(await bodies({})).toEqual(['region']);
    expect(await bodies(post('3'), {})).toEqual(['region', 'region']);
  });

  it('may still answer first, and is then not passed by (200)', async () => {
    const { state, call, asked } = startRegion(hang);
    const slow = Promise.withResolvers<Response>();
    state.answer = () => slow.promise;
    const { result } = call();
    await pass(5_000);
    slow.resolve(new Response('region'));
    await settle();
    expect(result).toMatchObject({ status: 200, body: 'region' });
    state.answer = () => text('again');
    const { result: next, done } = call();
    await done;
    expect([next.body, asked.length, alerts()]).toEqual(['again', 2, []]);
  });
});

describe('a body that is handed on', () => {
  const consume: Answer = async (request) => text(String((await request.arrayBuffer()).byteLength));

  it.each([undefined, '60'])(
    'flows as slowly as its caller sends it, with the Content-Length %s',
    async (length) => {
      const { state, asked, call } = startRegion();
      state.answer = consume;
      const { readable, writable } = new IdentityTransformStream();
      const headers = length === undefined ? {} : { 'Content-Length': length };
      const { result, done } = call({ ...post(readable), headers });
      const writer = writable.getWriter();
      for (let part = 0; part < 6; part += 1) {
        await pass(60_000);
        await writer.write(new Uint8Array(10));
      }
      await pass(60_000);
      expect(result.status).toBe(0);
      await writer.close();
      await done;
      expect(result).toMatchObject({ status: 200, body: '60' });
      expect(asked[0]?.headers.get('Content-Length')).toBe(length ?? null);
      expect([alerts(), ...limits]).toEqual([[]]);
    },
  );

  it('flows as slowly as the region takes it, as long as each part is taken within the limit', async () => {
    const { state, call } = startRegion();
    state.answer = async ({ body }) => {
      const reader = body?.getReader({ mode: 'byob' });
      for (let bytes = 0; ;) {
        const part = await reader?.readAtLeast(65_536, new Uint8Array(65_536));
        bytes += part?.value?.byteLength ?? 0;
        if (part?.done !== false) return text(String(bytes));
        await new Promise((resolve) => setTimeout(resolve, 20_000));
      }
    };
    const { result } = call(post(new Uint8Array(400_000)));
    for (let turn = 0; turn < 9 && result.status === 0; turn += 1) await pass(20_000);
    expect(result).toMatchObject({ status: 200, body: '400000' });
  });

  it('is given up when the region takes no more of it (503)', async () => {
    const { state, call } = startRegion();
    state.answer = async ({ body }) => {
      await body?.getReader().read();
      return hang(new Request('http://localhost'));
    };
    const { result } = call(post(new Uint8Array(400_000)));
    await pass(23_999);
    expect(result.status).toBe(0);
    await pass(1);
    expect(result.status).toBe(503);
  });

  it('may be refused before it was read (413)', async () => {
    const { state, call } = startRegion();
    state.answer = async ({ body }) => {
      await body?.cancel();
      return new Response('', { status: 413 });
    };
    const { result } = call(post(new Uint8Array(400_000)));
    await settle();
    expect([result.status, alerts(), ...limits]).toEqual([413, []]);
  });
});
