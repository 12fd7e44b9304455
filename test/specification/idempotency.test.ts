import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { keyedRequest } from '../../src/access/keyed-request.ts';
import { Once } from '../../src/access/once.ts';
import { documentOf } from '../../src/docs/document.ts';
import { takesKey, type Operation } from '../../src/http/operation.ts';
import { sections } from '../../src/operations.ts';
import { settingsOf } from '../../src/settings.ts';
import { call } from '../support/api.ts';
import { dbOf } from '../support/db.ts';
import { keysOf } from '../support/keyed.ts';
import { publishedBody } from '../support/published-body.ts';
import { store, type TestStore } from '../support/store.ts';

const rows = sections.flatMap(({ operations }) => operations).filter(takesKey);
const { sealingKey } = settingsOf(env);
const key = '"6f1c1a52-3c4e"';

/** The largest id: nobody gets that far. */
const nobody = '9007199254740991';
const pathOf = ({ path }: Operation, { alias }: TestStore) =>
  `/v2${path
    .replace('{alias}', alias)
    .replace('{event_id}', `evt_${'f'.repeat(46)}`)
    .replaceAll(/\{\w+\}/g, nobody)}`;

const bodyOf = (row: Operation) => (row.body ? { body: publishedBody(row).example } : {});

/** The success that the document shows. */
function exampleOf({ path, verb, reply }: Operation): string {
  const { responses } = documentOf(env.SERVICE_NAME, '/v2').paths[path]![verb.toLowerCase()]!;
  const success = responses[reply.status];
  const media = success && 'content' in success ? success.content?.['application/json'] : undefined;
  return JSON.stringify(media?.example);
}

/** Carries out the request of {@link call} below in the row's place; `answer` is what it is told to have answered. */
async function carryOut(shop: TestStore, row: Operation, { at = Date.now(), isKept = true } = {}) {
  const db = dbOf(shop, at);
  const pair = await env.DIRECTORY.prepare('select id from credentials where user_id = ?')
    .bind(shop.userId)
    .first<{ id: number }>();
  const { body } = bodyOf(row);
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  const sent = { idempotencyKey: key, method: row.verb, address: pathOf(row, shop), body: bytes };
  const request = await keyedRequest({ key: `pair:${pair!.id}` }, sent, sealingKey);
  const once = new Once(db, request, sealingKey);
  const answer = { status: row.reply.status, headers: {}, body: exampleOf(row), warnings: [] };
  await once.carryOut(() => Promise.resolve(answer), undefined);
  if (!isKept) {
    await env.STORE_0.prepare('update idempotency_keys set answer = null where store_id = ?')
      .bind(shop.id)
      .run();
  }
  return answer;
}

const ask = (shop: TestStore, row: Operation, sent: object = bodyOf(row)) =>
  call(row.verb, pathOf(row, shop), {
    headers: { ...shop.headers, 'Idempotency-Key': key },
    ...sent,
  });

describe.each(rows.map((row) => [row.route, row] as const))('%s', (_route, row) => {
  it.each([
    ['is empty', ''],
    ['has 256 characters', 'x'.repeat(256)],
    ['has a tab', 'chave\t1'],
  ])('400 for an idempotency key that %s', async (_why, malformed) => {
    const { alias, headers } = await store();
    const answer = await call(row.verb, pathOf(row, { alias } as TestStore), {
      headers: { ...headers, 'Idempotency-Key': malformed },
      ...bodyOf(row),
    });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual({
      'Idempotency-Key': ['Must be 1 to 255 printable ASCII characters.'],
    });
  });

  it(`${row.reply.status} again for a request that was carried out`, async () => {
    const shop = await store();
    const { body } = await carryOut(shop, row);
    const answer = await ask(shop, row);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([row.reply.status, body]);
    expect(answer.headers.get('Idempotent-Replayed')).toBe('true');
  });

  it('422 for the idempotency key of another request', async () => {
    const shop = await store();
    const other = rows.find(({ verb }) => verb !== row.verb);
    await carryOut(shop, other!);
    const answer = await ask(shop, row);
    expect([answer.status, answer.body.code]).toEqual([422, 'key_reused']);
  });

  it('409 for a request whose answer is on its way, or was lost', async () => {
    const [shop, late] = [await store(), await store()];
    await carryOut(shop, row, { isKept: false });
    const answer = await ask(shop, row);
    expect([answer.status, answer.body.code]).toEqual([409, 'request_under_way']);
    expect(answer.headers.get('Retry-After')).toBe('1');
    await carryOut(late, row, { isKept: false, at: Date.now() - 30_000 });
    expect((await ask(late, row)).body.code).toBe('answer_lost');
  });

  if (row.idNames.length > 0) {
    it('404 leaves the idempotency key free', async () => {
      const shop = await store({ test: true });
      expect((await ask(shop, row)).status).toBe(404);
      expect(await keysOf(shop)).toEqual([]);
    });
  }

  if (row.body) {
    it('refuses a body that is malformed, and leaves the idempotency key free', async () => {
      const shop = await store();
      expect((await ask(shop, row, { raw: '{' })).status).toBe(400);
      expect(await keysOf(shop)).toEqual([]);
    });
  }
});
