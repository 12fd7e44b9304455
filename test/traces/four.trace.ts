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
    files: 23,
    jumps: 1,
  });
});

it('delivers an event', async () => {
  const deliver = async () => {
    const endpoint = await insertEndpoint();
    const consumer = createConsumer(respondOk);
    return record(() => consumer.deliver(endpoint.id));
  };
  await deliver();
  expectStory('one delivery', await deliver(), { files: 24, jumps: 0 });
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
