import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../src/data/schema/store/webhooks-tables.ts';
import { Browser, tokenFor, type BrowserPage } from '../support/browser/browser.ts';
import { mockNetwork } from '../support/fakes/network.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../support/oauth/partner.ts';
import { givePassword } from '../support/password.ts';
import { addSecondFactor } from '../support/second-factor.ts';
import {
  createTestWebhook,
  endpointOf,
  fillDeliveryLog,
} from '../support/webhooks/delivery-log.ts';
import { insertNotice, setEndpointColumns, webhookPagePath } from '../support/webhooks/pages.ts';
import '../support/fixtures/first-shard.ts';

/*
 * Walks over the states of things. What a page offers is what the table says, and that is what its actions accept: an action that
 * is not offered changes nothing, and one that is offered does.
 */

const operator = await createTestOperator();
const other = await createTestOperator();
const olga = await new Browser().signIn(operator.userId);
const reason = 'A test';

await env.DIRECTORY.prepare(
  'insert into shards (number) values (0), (1) on conflict do nothing',
).run();

const run = (sql: string, ...values: unknown[]) =>
  env.DIRECTORY.prepare(sql)
    .bind(...values)
    .run();

/** The lines of the audit. */
const countLines = () =>
  env.DIRECTORY.prepare('select count(*) as count from audit').first<number>('count');

/** The actions that the page of a record offers, by the last part of their paths. */
const offeredOn = async (path: string) =>
  Array.from(
    (await olga.get(path)).html.matchAll(
      new RegExp(`class="button[^"]*" href="${path}/([\\w-]+)"`, 'g'),
    ),
    ([, segment = '']) => segment,
  ).toSorted();

/** Runs an action as its page does. Says whether it was accepted and wrote a line of the audit. */
async function isDone(path: string, segment: string) {
  const before = await countLines();
  // To erase takes the name of the record, as it is its title.
  const [, typed = ''] = /<h1>\s*<bdi>(.*?)<\/bdi>/.exec((await olga.get(path)).html) ?? [];
  const fields = {
    reason,
    typed,
    email: `${crypto.randomUUID()}@user.test`,
    role: 'viewer',
    alias: `a${crypto.randomUUID().slice(0, 10)}`,
    shard: '1',
    requests_per_minute: '5000',
  };
  const { status } = await olga.submit(`${path}/${segment}`, fields);
  return status === 303 && (await countLines()) !== before;
}

interface Walk {
  kind: string;
  /** All actions of the kind. */
  all: readonly string[];
  /** The actions that the page of a thing offers. */
  offered: (thing: Thing) => Promise<string[]>;
  /** Runs an action as its page does. Says whether it was accepted. */
  accepts: (thing: Thing, action: string) => Promise<boolean>;
  /** What each state offers, and how a new thing gets there. */
  states: Readonly<Record<string, { offers: readonly string[]; make: () => Promise<Thing> }>>;
}

/** A thing with the path of its page. */
interface Thing {
  path: string;
  /** Its id in the audit. */
  id?: number | string;
  /** The browser of its owner; absent for a thing of operators. */
  browser?: Browser;
}

async function makeUser(sql?: string, hasFactor = false) {
  const { userId } = await createTestOperator({
    isOperator: false,
    hasSecondFactor: false,
    hasPassword: true,
  });
  if (hasFactor) await addSecondFactor(userId);
  await new Browser().signIn(userId);
  if (sql) await run(sql, userId);
  return { path: `/operator/users/${userId}`, id: userId };
}

async function makeLockedUser() {
  const user = await makeUser();
  await other.api(`POST /operator/users/${user.id}/deactivate`);
  return user;
}

async function makeErasedUser() {
  const user = await makeUser();
  await other.api(`POST /operator/users/${user.id}/erasures`);
  return user;
}

async function makeStore(sql?: string) {
  const { id, userId } = await createTestStore();
  await givePassword(userId);
  if (sql) await run(sql, id);
  return { path: `/operator/stores/${id}`, id };
}

async function makeApp(state: string) {
  const { id, client_id: clientId } = await createTestApp();
  await run(`update apps set state = ? where id = ?`, state, id);
  return { path: `/operator/apps/${id}`, id: clientId };
}

const ofActiveUser = ['deactivate', 'end-sessions', 'erase', 'make-operator', 'password-reset'];
const ofStore = ['close', 'export', 'limits', 'rename'];

const ofRecord = {
  offered: ({ path }: Thing) => offeredOn(path),
  accepts: ({ path }: Thing, segment: string) => isDone(path, segment),
};

const walks: readonly Walk[] = [
  {
    kind: 'user',
    ...ofRecord,
    all: [...ofActiveUser, 'reactivate', 'remove-second-factor', 'revoke-operator'],
    states: {
      active: { offers: ofActiveUser, make: () => makeUser() },
      'active with a second factor': {
        offers: [...ofActiveUser, 'remove-second-factor'],
        make: () => makeUser(undefined, true),
      },
      invited: {
        offers: ofActiveUser,
        make: () => makeUser('delete from passwords where user_id = ?'),
      },
      operator: {
        offers: ['deactivate', 'end-sessions', 'erase', 'password-reset', 'revoke-operator'],
        make: () => makeUser('update users set super_user = 1 where id = ?', true),
      },
      'locked out': {
        offers: ['erase', 'reactivate'],
        make: makeLockedUser,
      },
      erased: { offers: [], make: makeErasedUser },
    },
  },
  {
    kind: 'store',
    ...ofRecord,
    // To erase one takes more than its state: thirty days, or a second operator.
    offered: async ({ path }) => (await offeredOn(path)).filter((segment) => segment !== 'erase'),
    all: [...ofStore, 'deactivate', 'invite', 'move', 'reactivate', 'reopen'],
    states: {
      active: { offers: [...ofStore, 'deactivate', 'invite', 'move'], make: () => makeStore() },
      deactivated: {
        offers: [...ofStore, 'invite', 'move', 'reactivate'],
        make: () =>
          makeStore("update stores set active = 0, locked_at = 1, lock_reason = 'x' where id = ?"),
      },
      'closed by an operator': {
        offers: ['deactivate', 'export', 'invite', 'limits', 'move', 'rename', 'reopen'],
        make: () =>
          makeStore(
            `update stores set active = 0, closed_at = 1, closed_by = 'operator', erase_at = 9e12 where id = ?`,
          ),
      },
      erased: {
        offers: [],
        make: () =>
          makeStore(
            "update stores set active = 0, erased_at = 1, name = '', alias = 'erased-' || id where id = ?",
          ),
      },
    },
  },
  {
    kind: 'app',
    ...ofRecord,
    all: ['disable', 'enable'],
    states: {
      draft: { offers: ['disable'], make: () => makeApp('draft') },
      published: { offers: ['disable'], make: () => makeApp('published') },
      disabled: { offers: ['enable'], make: () => makeApp('disabled') },
    },
  },
];

/** The first database of rows, and the ids of those that this file inserts there. */
const shard = env.STORE_0;
let lastId = 7_000_000;
const newId = () => (lastId += 1);

async function signInOwner() {
  const store = await createTestStore();
  return { store, browser: await new Browser().signIn(store.userId) };
}

/** Sends a form to a path, also if no page shows it. */
const post = async (browser: Browser, path: string, fields: Record<string, string> = {}) =>
  browser.post(path, { form_token: await tokenFor(browser, path), ...fields });

/** The values of the buttons of a page, and the last parts of the links to pages below it. */
const controlsOf = ({ html }: BrowserPage, path: string) => [
  ...new Set(
    Array.from(
      html.matchAll(new RegExp(`name="action" value="(\\w+)"|href="${path}/([\\w-]+)"`, 'g')),
      ([, value, segment]) => value ?? segment ?? '',
    ).filter((name) => name !== 'deliveries'),
  ),
];

interface Hook extends Thing {
  id: number;
  browser: Browser;
}

async function makeWebhook(
  columns: Record<string, number | string | null> = {},
  {
    notice,
    app,
    waiting = 0,
  }: { notice?: string; app?: 'connected' | 'disconnected'; waiting?: number } = {},
): Promise<Hook> {
  const { store, browser } = await signInOwner();
  let id = 0;
  if (app) {
    const connected = await connectApp(store, { scopes: ['catalog.read', 'webhooks.write'] });
    const url = 'http://127.0.0.1:9/app';
    const made = await connected.api('POST /webhooks', {
      url,
      name: 'app',
      events: ['product.created'],
    });
    id = made.body.data.id;
    if (app === 'disconnected') {
      await shard
        .prepare('update oauth_grants set revoked_at = 1 where store_id = ?')
        .bind(store.id)
        .run();
    }
  } else id = await createTestWebhook(store);
  if (waiting > 0) await fillDeliveryLog(store, id, { count: waiting, state: DeliveryState.open });
  await setEndpointColumns(id, { proven_at: 1, ...columns });
  if (notice) await insertNotice(store, id, notice, Date.now());
  return { id, browser, path: webhookPagePath(store, id) };
}

/** The fields of a form of a webhook. */
const webhookFields: Readonly<Record<string, Record<string, string>>> = {
  edit: { name: 'renamed', url: 'http://127.0.0.1:9/x', events: 'product.created' },
  rotate: { step: 'start', overlap: 'day' },
  resume: { resume: 'all' },
};

/**
 * Whether an action changes the row of a webhook; a ping changes none, and says what the receiver
 * answered.
 */
async function webhookAccepts({ path, id, browser }: Hook, action: string) {
  const rowOf = async () => {
    const { updated_at: _at, ...row } = (await endpointOf(id)) ?? {};
    return JSON.stringify(row);
  };
  const before = await rowOf();
  const isButton = ['ping', 'pause', 'tryNow'].includes(action);
  const mode = (await endpointOf(id))?.['secret_mode'];
  const { location } = await (isButton
    ? post(browser, path, { action })
    : post(
        browser,
        `${path}/${action}`,
        action === 'rotate' && mode !== 0 ? { step: 'finish' } : webhookFields[action],
      ));
  return action === 'ping' ? location === `${path}?done=pinged` : (await rowOf()) !== before;
}

const ofActiveWebhook = ['delete', 'edit', 'pause', 'ping', 'rotate'];
const ofStoppedWebhook = ['delete', 'edit', 'ping', 'resume', 'rotate'];
const isFailing = { consecutive_failures: 4, first_failure_at: 1 };
const later = () => Date.now() + 360_000;

async function makeKey(columns: Record<string, number>) {
  const { store, browser } = await signInOwner();
  const id = await env.DIRECTORY.prepare(
    `insert into api_keys (user_id, name, token_hash, secret_hash, last_four, created_at, expires_at, revoked_at)
      values (?1, 'ERP', ?2, ?2, 'abcd', 1, ?3, ?4) returning id`,
  )
    .bind(
      store.userId,
      crypto.randomUUID(),
      columns['expires_at'] ?? null,
      columns['revoked_at'] ?? null,
    )
    .first<number>('id');
  return { path: `/account/keys/${id}`, id: id ?? 0, userId: store.userId, browser };
}

const isLiveKey = async (id: number | string = 0) =>
  (await env.DIRECTORY.prepare('select revoked_at from api_keys where id = ?')
    .bind(id)
    .first('revoked_at')) === null;

const keyStates = (
  offers: readonly string[],
  ofExpired: readonly string[],
  make: (columns: Record<string, number>) => Promise<Thing>,
) => ({
  live: { offers, make: () => make({}) },
  expired: { offers: ofExpired, make: () => make({ expires_at: 2 }) },
  revoked: { offers: [], make: () => make({ revoked_at: 2 }) },
});

async function makeInvitation(columns: Record<string, number>) {
  const { store, browser } = await signInOwner();
  const id = await env.DIRECTORY.prepare(
    `insert into invitations (kind, email, language, store_id, role, invited_by, token_hash, created_at, expires_at,
        accepted_at, revoked_at) values ('store', ?1, 'en', ?2, 'viewer', ?3, ?1, 1, ?4, ?5, ?6) returning id`,
  )
    .bind(
      `${crypto.randomUUID()}@people.test`,
      store.id,
      store.userId,
      columns['expires_at'] ?? later(),
      columns['accepted_at'] ?? null,
      columns['revoked_at'] ?? null,
    )
    .first<number>('id');
  return { path: `/account/stores/${store.alias}/members/invitations/${id}`, id: id ?? 0, browser };
}

const revokedAtOf = (id: number | string = 0) =>
  env.DIRECTORY.prepare('select revoked_at from invitations where id = ?')
    .bind(id)
    .first<number>('revoked_at');

/** The walk over imports or exports, which have one button. */
function walkTransfers(kind: 'import' | 'export', folder: string): Walk {
  const make = (state: string) => async () => {
    const { store, browser } = await signInOwner();
    const id = newId();
    const isOpen = ['waiting', 'running', 'paused'].includes(state);
    await shard
      .prepare(
        `insert into transfers (id, store_id, kind, state, file, bytes, parts, total, actor, user_id, due_at, created_at,
            updated_at) values (?, ?, ?, ?, 'x', 1, '[]', 1, 'user:1', ?, ?, ?, 1)`,
      )
      .bind(id, store.id, kind, state, store.userId, isOpen ? later() : null, Date.now())
      .run();
    return { path: `/account/stores/${store.alias}/${folder}/${id}`, id, browser };
  };
  const stateOf = (id: number | string = 0) =>
    shard.prepare('select state from transfers where id = ?').bind(id).first<string>('state');
  const states = ['waiting', 'running', 'paused', 'done', 'failed', 'cancelled'];
  const offersOf = (state: string) => {
    if (['waiting', 'running', 'paused'].includes(state)) return ['cancel'];
    return kind === 'export' && state === 'done' ? ['csv', 'ndjson'] : [];
  };
  return {
    kind,
    all: ['cancel', ...(kind === 'export' ? ['csv', 'ndjson'] : [])],
    offered: async ({ browser, path }) => {
      const shown = await browser!.get(path);
      const files = controlsOf(shown, path);
      return shown.html.includes(`method="post" action="${path}"`) ? ['cancel', ...files] : files;
    },
    accepts: async ({ browser, path, id }, action) => {
      if (action !== 'cancel') return (await browser!.get(`${path}/${action}`)).status === 200;
      const before = await stateOf(id);
      await post(browser!, path);
      return (await stateOf(id)) !== before;
    },
    states: Object.fromEntries(
      states.map((state) => [state, { offers: offersOf(state), make: make(state) }]),
    ),
  };
}

/** A job of a store as operators see it, asked for by another one. */
async function makeJob(kind: string, state: string, columns: Record<string, number | null> = {}) {
  const { id: storeId } = await createTestStore();
  const id = await env.DIRECTORY.prepare(
    `insert into jobs (kind, state, progress, shard, store_id, requested_by, by_operator, created_at, due_at, finished_at,
        confirmed_at, confirmed_by) values (?, ?, ?, 0, ?, ?, 1, 1, ?, ?, ?, ?) returning id`,
  )
    .bind(
      kind,
      state,
      state === 'running' ? '{"begunAt":1}' : '{}',
      storeId,
      columns['requested_by'] ?? other.userId,
      state === 'waiting' ? later() : null,
      ['done', 'failed', 'cancelled'].includes(state) ? Date.now() : null,
      columns['confirmed_at'] ?? null,
      columns['confirmed_at'] ? other.userId : null,
    )
    .first<number>('id');
  return { path: `/operator/stores/${storeId}/erasures/${id}`, id: id ?? 0 };
}

const jobOf = async (id: number | string = 0) =>
  JSON.stringify(await env.DIRECTORY.prepare('select * from jobs where id = ?').bind(id).first());

const thingWalks: readonly Walk[] = [
  {
    kind: 'webhook',
    all: ['delete', 'edit', 'pause', 'ping', 'resume', 'rotate', 'tryNow'],
    offered: async ({ browser, path }) => controlsOf(await browser!.get(path), path),
    accepts: (hook, action) => webhookAccepts(hook as Hook, action),
    states: {
      active: { offers: ofActiveWebhook, make: () => makeWebhook() },
      unverified: { offers: ofActiveWebhook, make: () => makeWebhook({ proven_at: null }) },
      failing: {
        offers: [...ofActiveWebhook, 'tryNow'],
        make: () => makeWebhook({ ...isFailing, next_attempt_at: later() }, { waiting: 1 }),
      },
      'failing, with nothing to send': {
        offers: ofActiveWebhook,
        make: () => makeWebhook({ ...isFailing, next_attempt_at: later() }),
      },
      'paused by a member': { offers: ofStoppedWebhook, make: () => makeWebhook({ status: 1 }) },
      'paused, of an app that is connected': {
        offers: ofStoppedWebhook,
        make: () => makeWebhook({ status: 1 }, { app: 'connected' }),
      },
      'paused, of an app that is not connected': {
        offers: ofStoppedWebhook.filter((action) => action !== 'resume'),
        make: () => makeWebhook({ status: 1 }, { app: 'disconnected' }),
      },
      'switched off after days': {
        offers: ofStoppedWebhook,
        make: () => makeWebhook({ status: 2, ...isFailing }, { notice: 'disabled' }),
      },
      'switched off by a 410': {
        offers: ofStoppedWebhook,
        make: () => makeWebhook({ status: 2, ...isFailing }, { notice: 'gone' }),
      },
      removed: { offers: [], make: () => makeWebhook({ status: 3 }) },
    },
  },
  {
    kind: 'key',
    all: ['revoke'],
    offered: async ({ browser, path }) =>
      controlsOf(await browser!.get('/account/keys'), path).filter((name) => name !== 'requests'),
    accepts: async ({ browser, path, id }, action) => {
      const before = await isLiveKey(id);
      await post(browser!, `${path}/${action}`);
      return before && !(await isLiveKey(id));
    },
    states: keyStates(['revoke'], ['revoke'], makeKey),
  },
  {
    kind: 'key, for operators',
    all: ['revoke'],
    offered: async ({ path }) => controlsOf(await olga.get(path.replace(/\/keys\/\d+$/, '')), path),
    accepts: async ({ path, id }, action) => {
      const before = await isLiveKey(id);
      await post(olga, `${path}/${action}`, { reason });
      return before && !(await isLiveKey(id));
    },
    states: keyStates(['revoke'], [], async (columns) => {
      const { id, userId } = await makeKey(columns);
      return { path: `/operator/users/${userId}/keys/${id}`, id };
    }),
  },
  {
    kind: 'invitation',
    all: ['send', 'withdraw'],
    offered: async ({ browser, path }) => {
      const list = await browser!.get(path.replace(/\/invitations\/\d+$/, ''));
      return list.html.includes(`href="${path}"`) ? controlsOf(await browser!.get(path), path) : [];
    },
    accepts: async ({ browser, path, id }, action) => {
      const before = await revokedAtOf(id);
      await post(browser!, path, { action });
      return (await revokedAtOf(id)) !== before;
    },
    states: {
      open: { offers: ['send', 'withdraw'], make: () => makeInvitation({}) },
      accepted: { offers: [], make: () => makeInvitation({ accepted_at: 2 }) },
      expired: { offers: [], make: () => makeInvitation({ expires_at: 2 }) },
      withdrawn: { offers: [], make: () => makeInvitation({ revoked_at: 2 }) },
    },
  },
  walkTransfers('import', 'imports'),
  walkTransfers('export', 'product-exports'),
  {
    kind: 'job of a store',
    all: ['cancel', 'confirm'],
    offered: async ({ path }) =>
      controlsOf(await olga.get(path.replace(/\/erasures\/\d+$/, '')), path),
    accepts: async ({ path, id }, action) => {
      const before = await jobOf(id);
      await post(olga, `${path}/${action}`, { reason, typed: await aliasOf(path) });
      return (await jobOf(id)) !== before;
    },
    states: {
      'an erasure that waits': {
        offers: ['cancel'],
        make: () => makeJob('store_erasure', 'waiting'),
      },
      'an erasure that runs': { offers: [], make: () => makeJob('store_erasure', 'running') },
      'an erasure that is cancelled': {
        offers: [],
        make: () => makeJob('store_erasure', 'cancelled'),
      },
      'an erasure at once, of another operator': {
        offers: ['cancel', 'confirm'],
        make: () => makeJob('immediate_erasure', 'waiting'),
      },
      'an erasure at once, of oneself': {
        offers: ['cancel'],
        make: () => makeJob('immediate_erasure', 'waiting', { requested_by: operator.userId }),
      },
      'an erasure at once that is confirmed': {
        offers: ['cancel'],
        make: () => makeJob('immediate_erasure', 'waiting', { confirmed_at: 2 }),
      },
      'an export that waits': { offers: [], make: () => makeJob('store_export', 'waiting') },
      'an export that failed': { offers: [], make: () => makeJob('store_export', 'failed') },
    },
  },
];

/** The alias of the store of an operator's path. */
const aliasOf = async (path: string) => {
  const [, id = ''] = /stores\/(\d+)/.exec(path) ?? [];
  return (
    (await env.DIRECTORY.prepare('select alias from stores where id = ?')
      .bind(id)
      .first<string>('alias')) ?? ''
  );
};

describe.each([...walks, ...thingWalks])(
  'the page of a $kind',
  ({ all, offered, accepts, states }) => {
    it.each(Object.entries(states))(
      'offers and accepts in the state %s what it may do',
      async (_name, { offers, make }) => {
        using _receivers = mockNetwork(() => new Response(null, { status: 204 }));
        // An action that is refused changes nothing, so one thing is enough for all of them.
        const thing = await make();
        expect((await offered(thing)).toSorted()).toEqual(offers.toSorted());
        const done = [];
        for (const action of all) {
          const subject = offers.includes(action) ? await make() : thing;
          if (await accepts(subject, action)) done.push(action);
        }
        expect(done.toSorted()).toEqual(offers.toSorted());
      },
    );
  },
);

it('erases a user only if their name is typed', async () => {
  const { path } = await makeUser();
  for (const typed of ['', 'test operator']) {
    expect((await olga.submit(`${path}/erase`, { reason, typed })).status).toBe(422);
  }
  expect((await olga.get(path)).text).not.toContain('Erased');
  expect(await isDone(path, 'erase')).toBe(true);
});

it('calls an erased user erased, also in the list and its filter, and refuses to let them in again (409 user_erased)', async () => {
  const { id, path } = await makeErasedUser();
  const { text } = await olga.get(path);
  expect(text).toContain('Erased');
  expect(text).not.toContain('Locked out');
  const listed = (await other.api('GET /operator/users?state=erased')).body.data;
  expect(listed.map((user: { id: number }) => user.id)).toContain(id);
  for (const action of [
    'reactivate',
    'make-operator',
    'password-resets',
    'second-factor/removals',
  ]) {
    const { status, body } = await other.api(`POST ${path}/${action}`);
    expect([action, status, body.code]).toEqual([action, 409, 'user_erased']);
  }
});
