import { env } from 'cloudflare:workers';
import { afterAll, expect, it } from 'vitest';
import { runOutbox } from '../../src/mail/send-mail.ts';
import { Browser } from '../support/browser/browser.ts';
import { freshAddress } from '../support/fixtures/invitations.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { move } from '../support/move/run-moves.ts';
import { createConsumer, insertEndpoint, respondOk } from '../support/webhooks/consumer.ts';
import { record, summarize } from './trace.ts';

const rows: string[] = [];

/** Prints the files of a story, and fails when a reader has to open more of them than today. */
function expectFiles(name: string, entries: Awaited<ReturnType<typeof record>>, atMost: number) {
  const files = summarize(entries);
  rows.push(`${name}: ${files.length} files`, ...files.map((line) => `  ${line}`));
  expect(files.length).toBeGreaterThan(5);
  expect(files.length).toBeLessThanOrEqual(atMost);
}

afterAll(() => console.log(rows.join('\n')));

// The first time of each makes the isolate warm and is not recorded.

it('creates a brand', async () => {
  const store = await createTestStore({ shard: 0 });
  const create = (name: string) => store.api('POST /catalog/brands', { name, active: true });
  await create('first');
  expectFiles('POST /catalog/brands', await record(() => create('second')), 22);
});

it('delivers an event', async () => {
  const deliver = async () => {
    const endpoint = await insertEndpoint();
    const consumer = createConsumer(respondOk);
    return record(() => consumer.deliver(endpoint.id));
  };
  await deliver();
  expectFiles('one delivery', await deliver(), 23);
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
  expectFiles('an invitation', await record(invite), 25);
});

it('moves a store', async () => {
  const moveOne = async () => {
    const store = await createTestStore({ shard: 0 });
    await store.api('POST /catalog/brands', { name: 'A', active: true });
    return record(() => move(store, 0, 1));
  };
  await moveOne();
  expectFiles('a move of a store', await moveOne(), 16);
});
