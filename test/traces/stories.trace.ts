import { env, exports } from 'cloudflare:workers';
import { afterAll, expect, it } from 'vitest';
import { sha256 } from '../../src/base/crypto/digest.ts';
import { randomBase64url } from '../../src/base/crypto/random.ts';
import { takeStep } from '../../src/catalog/transfers/transfer-step.ts';
import { shardBinding } from '../../src/data/core/open-database.ts';
import { runOutbox } from '../../src/mail/send-mail.ts';
import { proposedIn } from '../pages/stores/support.ts';
import { Browser } from '../support/browser/browser.ts';
import { freshAddress } from '../support/fixtures/invitations.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { requestTool } from '../support/mcp/assistant.ts';
import { move } from '../support/move/run-moves.ts';
import { openConsentPage, redirectParams } from '../support/oauth/consent.ts';
import { bearerHeaders, connectApp, partnerRedirectUri } from '../support/oauth/partner.ts';
import { createConsumer, insertEndpoint, respondOk } from '../support/webhooks/consumer.ts';
import { record, summarize } from './trace.ts';

const rows: string[] = [];

/** Prints a story, and fails when it has more files or jumps back than today. */
function expectStory(
  name: string,
  entries: Awaited<ReturnType<typeof record>>,
  atMost: { files: number; jumps: number },
) {
  const { opened, jumps, secondLooks } = summarize(entries);
  rows.push(
    `${name}: ${opened.length} files, ${jumps.length} jumps back, ${secondLooks} second looks`,
    ...opened.map((line) => `  ${line}`),
    ...jumps.map((line) => `  jump: ${line}`),
  );
  expect(opened.length).toBeGreaterThan(5);
  expect(opened.length).toBeLessThanOrEqual(atMost.files);
  expect(jumps.length).toBeLessThanOrEqual(atMost.jumps);
}

afterAll(() => console.log(rows.join('\n')));

// The first time of each makes the isolate warm and is not recorded.

it('creates a brand', async () => {
  const store = await createTestStore({ shard: 0 });
  const create = (name: string) => store.api('POST /catalog/brands', { name, active: true });
  await create('first');
  expectStory('POST /catalog/brands', await record(() => create('second')), {
    files: 18,
    jumps: 0,
  });
});

it('calls a tool of an assistant', async () => {
  const connected = await connectApp(await createTestStore({ shard: 0 }), { resource: 'mcp' });
  const headers = bearerHeaders(connected.app, connected.tokens.access_token);
  const create = (name: string) => requestTool('create_brand', { name, active: true }, { headers });
  await create('first');
  expectStory('a tool call', await record(() => create('second')), { files: 30, jumps: 1 });
});

it('gives a code, from the form to the tokens', async () => {
  const give = async () => {
    const verifier = randomBase64url(32);
    const changed = { code_challenge: await sha256(verifier) };
    const { app, decide } = await openConsentPage({ changed, shard: 0 });
    return record(async () => {
      const code = redirectParams(await decide('approve')).get('code') ?? '';
      await exports.default.fetch('https://api.test/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: app.client_id,
          redirect_uri: partnerRedirectUri,
          code,
          code_verifier: verifier,
        }),
      });
    });
  };
  await give();
  expectStory('a code', await give(), { files: 44, jumps: 0 });
});

it('imports a table, from the form to the last product', async () => {
  const store = await createTestStore({ shard: 0 });
  const browser = await new Browser().signIn(store.userId);
  const path = `/account/stores/${store.alias}/imports`;
  const db = shardBinding(env, 0);
  const unfinished = db.prepare(`select 1 from transfers where state in ('waiting', 'running')`);
  const importOne = async (sku: string) => {
    const table = `Name,Brand,SKU,Price,Stock\nShirt ${sku},Sol,${sku},10,5\n`;
    const { location } = await browser.upload(path, new File([table], 'table.csv'));
    const columns = location ?? '';
    const fields = proposedIn((await browser.get(columns)).html);
    await browser.submit(columns, { ...fields, active: 'yes', brand: 'Sol' });
    do {
      const limits = { stepMs: 20_000, restFactor: 0, longChunkMs: Infinity };
      await takeStep({ env, shard: 0, db, now: Date.now }, limits);
    } while (await unfinished.first());
  };
  await importOne('A');
  expectStory('an import', await record(() => importOne('B')), { files: 65, jumps: 1 });
});

it('delivers an event', async () => {
  const deliver = async () => {
    const endpoint = await insertEndpoint();
    const consumer = createConsumer(respondOk);
    return record(() => consumer.deliver(endpoint.id));
  };
  await deliver();
  expectStory('one delivery', await deliver(), { files: 20, jumps: 0 });
});

it('invites a member, from the form to the mail', async () => {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  const invite = async () => {
    await browser.submit(`/account/stores/${store.alias}/members/invite`, {
      email: freshAddress(),
      role: 'viewer',
    });
    await runOutbox(env, { now: Date.now });
  };
  await invite();
  expectStory('an invitation', await record(invite), { files: 25, jumps: 0 });
});

it('moves a store', async () => {
  const moveOne = async () => {
    const store = await createTestStore({ shard: 0 });
    await store.api('POST /catalog/brands', { name: 'A', active: true });
    return record(() => move(store, 0, 1));
  };
  await moveOne();
  expectStory('a move of a store', await moveOne(), { files: 17, jumps: 0 });
});
