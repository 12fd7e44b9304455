import { env } from 'cloudflare:workers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endsOfTrust, type EndOfTrust } from '../../../src/accounts/end-trust.ts';
import readme from '../../../src/accounts/README.md?raw';
import {
  insertLinkStatement,
  makeLinkToken,
  type LinkKind,
} from '../../../src/accounts/sign-in/one-use-links.ts';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { linkPath } from '../../../src/base/page-paths.ts';
import { TtlCache } from '../../../src/base/ttl-cache.ts';
import { actionOf } from '../../support/action.ts';
import { createApiClient } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { inviteTo } from '../../support/fixtures/invitations.ts';
import { addTestMember, createTestUser, roleOf } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';
import { givePassword, testPassword } from '../../support/password.ts';
import { addSecondFactor, codeOf, showCode } from '../../support/second-factor.ts';
import { shared } from '../../support/shared.ts';
import { isSlow } from '../../support/slow.ts';
import { followChanges } from '../../support/sweep.ts';
import '../../support/fixtures/first-shard.ts';

/**
 * When the change of the address was asked for. The things of a world are two days older, or
 * younger by a minute.
 */
const askedAt = Date.now() - 600_000;
const [before, after] = [askedAt - 172_800_000, askedAt + 60_000];

const reason = 'A test';
const operator = await createTestOperator();

/** A store and a partner of no user whose trust ends. */
const [elsewhere, partner] = [await createTestStore(), await createTestUser()];

const statement = (sql: string, ...values: unknown[]) => env.DIRECTORY.prepare(sql).bind(...values);

const run = (sql: string, ...values: unknown[]) => statement(sql, ...values).run();

const count = async (sql: string, ...values: unknown[]) =>
  (await statement(sql, ...values).first<number>('n')) ?? 0;

/** Something that rests on trust. */
interface Item {
  name: string;
  /** Made since the change of the address was asked for. */
  since?: boolean;
  /** Made as an operator, or for operators only. */
  ofOperator?: boolean;
  /** Of the store and the team that the user may lose. */
  there?: boolean;
  /** Not the session that asks. */
  other?: boolean;
  isAlive: Question;
}

/** A request that works, or a query of a column `n` that is 1 as long as the item is alive. */
type Question =
  | { works: (follow: () => Promise<unknown>) => Promise<boolean> }
  | { query: () => D1PreparedStatement | Promise<D1PreparedStatement> };

/** Whether each item is alive; the queries are one batch, and the shard follows once. */
async function areAlive(items: readonly Item[], store: TestStore): Promise<boolean[]> {
  const follow = shared(() => followChanges(env, store));
  const queries: D1PreparedStatement[] = [];
  for (const { isAlive } of items) if ('query' in isAlive) queries.push(await isAlive.query());
  const results = await env.DIRECTORY.batch<{ n: number }>(queries);
  const alive: boolean[] = [];
  for (const { isAlive } of items) {
    const isOne = 'works' in isAlive ? isAlive.works(follow) : results.shift()?.results[0]?.n === 1;
    alive.push(await isOne);
  }
  return alive;
}

/**
 * A user with everything that may end: owner of a store, partner, operator, member of another's
 * team.
 */
async function createWorld({ hasFactor = true, isOwner = true, hasApp = true } = {}) {
  const store = await createTestStore();
  const { userId } = store;
  const email = `${store.alias}@store.test`;
  const newEmail = `${store.alias}@thief.test`;
  await givePassword(userId);
  const app = await connectApp(store, { now: Date.now() - 300_000 });
  const factor = hasFactor ? await addSecondFactor(userId) : undefined;
  const [mine, other] = [await new Browser().signIn(userId), await new Browser().signIn(userId)];
  const { directory } = actionOf(userId);
  const links: ReturnType<typeof insertLinkStatement>[] = [];
  /** All other rows of the world: one batch. */
  const rows = [
    statement(
      'update users set super_user = 1, temporary_email = ? where id = ?',
      newEmail,
      userId,
    ),
    statement(
      'insert into partner_members (partner_id, user_id, created_at) values (?, ?, 1)',
      partner.userId,
      userId,
    ),
  ];
  const add = (sql: string, ...values: unknown[]) => void rows.push(statement(sql, ...values));
  const one = (sql: string, ...values: unknown[]): Question => ({
    query: () => statement(`select count(*) as n from ${sql}`, ...values),
  });

  const addKey = async (createdAt: number, isForOperators: boolean) => {
    const name = crypto.randomUUID();
    const headers = { 'User-Token': `token-${name}`, 'User-Secret-Key': `sk-${name}` };
    add(
      `insert into api_keys (user_id, name, token_hash, secret_hash, last_four, for_operator, created_at, last_used_at)
        values (?, 'test', ?, ?, 'abcd', ?, ?, ?)`,
      userId,
      await sha256(headers['User-Token']),
      await sha256(headers['User-Secret-Key']),
      Number(isForOperators),
      createdAt,
      Date.now(),
    );
    const api = createApiClient(store.alias, headers);
    return { works: async () => (await api('GET /catalog/brands')).status === 200 };
  };
  const addDevice = () => {
    const token = crypto.randomUUID();
    add(
      `insert into remembered_devices (user_id, token_hash, device, created_at, used_day, expires_at)
        values (?, ?, '', ?, 0, ?)`,
      userId,
      token,
      Date.now(),
      Date.now() + 600_000,
    );
    return one('remembered_devices where token_hash = ?', token);
  };
  const addPasskey = () => {
    const id = crypto.randomUUID();
    add(
      `insert into passkeys (user_id, credential_id, public_key, sign_count, challenged_at, name, created_at, replaces_password)
        values (?, ?, '', 0, 0, 'Phone', ?, 1)`,
      userId,
      id,
      Date.now(),
    );
    return {
      isAlive: one('passkeys where credential_id = ?', id),
      // An inactive user signs in by nothing, which the sign-in asks.
      replacesPassword: one(
        `passkeys where credential_id = ? and replaces_password = 1
          and exists (select 1 from users where id = user_id and active = 1)`,
        id,
      ),
    };
  };
  const addInvitation = (
    createdAt: number,
    target: { storeId?: number; partnerId?: number; byOperator?: boolean },
  ) => {
    const token = crypto.randomUUID();
    add(
      `insert into invitations (kind, email, language, store_id, role, partner_id, invited_by, by_operator, token_hash,
          created_at, expires_at) values (?, ?, 'en', ?, ?, ?, ?, ?, ?, ?, ?)`,
      target.partnerId === undefined ? 'store' : 'partner',
      `${token}@people.test`,
      target.storeId ?? null,
      target.storeId === undefined ? null : 'viewer',
      target.partnerId ?? null,
      userId,
      Number(target.byOperator ?? false),
      token,
      createdAt,
      Date.now() + 600_000,
    );
    return one('invitations where token_hash = ? and revoked_at is null', token);
  };
  const addLink = async (kind: LinkKind, address: string, at: number) => {
    const { token, hash } = await makeLinkToken();
    links.push(insertLinkStatement(directory, { hash, kind, userId, email: address, now: at }));
    const isOpen = one('one_use_links where token_hash = ? and used_at is null', hash);
    return { path: linkPath(kind, token), hash, isOpen };
  };

  /** A line of the audit about what the user did. */
  const did = (
    action: string,
    [targetKind, targetId]: readonly [string, number | string],
    {
      at = after,
      actor = userId,
      changes = {},
      storeId = store.id,
    }: { at?: number; actor?: number; changes?: object; storeId?: number } = {},
  ) =>
    add(
      `insert into audit (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, store_id, changes)
        values (?, 'user', ?, '', ?, ?, ?, ?, ?)`,
      at,
      String(actor),
      action,
      targetKind,
      String(targetId),
      targetKind === 'app' || action.includes('operator') ? null : storeId,
      JSON.stringify(changes),
    );
  const isMember = (id: number, role: string) =>
    one('memberships where user_id = ? and store_id = ? and role = ?', id, store.id, role);
  /** Somebody who came by an invitation of the user, to the store or the team. */
  const addBrought = async (at: number, to: { store_id: number } | { partner_id: number }) => {
    const guest = await createTestUser();
    const [column = '', id] = Object.entries(to)[0] ?? [];
    const invited = await statement(
      `insert into invitations (kind, email, language, role, ${column}, invited_by, token_hash, created_at, expires_at,
          accepted_at) values (?, ?, 'en', ?, ?, ?, ?, ?, ?, ?) returning id`,
      column === 'store_id' ? 'store' : 'partner',
      guest.email,
      column === 'store_id' ? 'manager' : null,
      id,
      userId,
      crypto.randomUUID(),
      at,
      at + 1,
      at + 1,
    ).first<number>('id');
    did('member.invited', ['invitation', invited ?? 0], { at });
    did('member.joined', ['invitation', invited ?? 0], { at: at + 1, actor: guest.userId });
    add(
      column === 'store_id'
        ? "insert into memberships (user_id, store_id, role, created_at) values (?, ?, 'manager', ?)"
        : 'insert into partner_members (user_id, partner_id, created_at) values (?, ?, ?)',
      guest.userId,
      id,
      at + 1,
    );
    return guest.userId;
  };
  const addWebhook = async (at: number) => {
    const hook = { url: 'http://127.0.0.1:9/x', name: crypto.randomUUID(), events: ['order.paid'] };
    const made = await store.api('POST /webhooks', hook);
    const { id } = made.body.data as { id: number };
    await env.STORE_0.prepare(
      "update store_audit set at = ?, actor_kind = 'user', actor_id = ? where store_id = ? and target_id = ?",
    )
      .bind(at, String(userId), store.id, String(id))
      .run();
    return {
      works: async (follow: () => Promise<unknown>) => {
        await follow();
        const status = 'select status from webhook_endpoints where id = ?';
        return (await env.STORE_0.prepare(status).bind(id).first('status')) === 0;
      },
    };
  };

  const isSignedIn = (browser: Browser): Question => ({
    query: async () =>
      statement(
        'select count(*) as n from sessions where id_hash = ?',
        await sha256(browser.cookies.get('__Host-session') ?? ''),
      ),
  });
  const confirm = await addLink('confirm_email', newEmail, Date.now() - 60_000);
  const reset = await addLink('password_reset', email, Date.now() - 60_000);
  const undo = await addLink('undo_email', `first-${email}`, after);
  // The link whose use changed the address: the undo counts from when it was asked for.
  const used = await addLink('confirm_email', email, askedAt);
  add('update one_use_links set used_at = ? where token_hash = ?', after, used.hash);
  let ownerId = userId;
  if (!isOwner) {
    ownerId = (await createTestUser()).userId;
    add(
      "update memberships set role = 'manager' where store_id = ? and user_id = ?",
      store.id,
      userId,
    );
    add(
      "insert into memberships (user_id, store_id, role, created_at) values (?, ?, 'owner', 1)",
      ownerId,
      store.id,
    );
    add('update stores set owner_id = ? where id = ?', ownerId, store.id);
  }

  const passkey = hasFactor ? addPasskey() : undefined;
  const [oldGuest, newGuest, colleague] = [
    await addBrought(before, { store_id: store.id }),
    await addBrought(after, { store_id: store.id }),
    hasApp ? await addBrought(after, { partner_id: userId }) : undefined,
  ];
  const [raised, removed, made] = [
    await addTestMember(store, 'manager'),
    await createTestUser(),
    await createTestUser({ super_user: true }),
  ];
  did('member.role_changed', ['user', raised.userId], { changes: { role: ['viewer', 'manager'] } });
  did('member.removed', ['user', removed.userId], { changes: { role: ['manager', null] } });
  // Another one: without a second factor, old keys would not reach a store that demands one.
  const strict = isOwner ? await createTestStore() : undefined;
  if (strict) {
    add('update stores set owner_id = ? where id = ?', userId, strict.id);
    const changes = { mfa_required: [true, false] };
    did('store.second_factor_changed', ['store', strict.id], { changes, storeId: strict.id });
  }
  did('user.made_operator', ['user', made.userId]);
  const [address, theirs] = ['https://app.test/back', 'https://thief.test/back'];
  const own = hasApp
    ? await createTestApp({ ownerId: userId, redirectUris: [address, theirs] })
    : undefined;
  if (own) {
    const changes = { redirect_uris: [[address], [address, theirs]] };
    did('app.edited', ['app', own.client_id], { changes });
    did('app.published', ['app', own.client_id]);
    did('app.webhook_set', ['app', own.client_id]);
    add(
      "insert into app_webhooks (client_id, url, secret_current, created_at, updated_at) values (?, '', '', 1, 1)",
      own.client_id,
    );
  }
  const items: Record<keyof typeof columns, Item[]> = {
    sessions: [
      { name: 'the session that asks', isAlive: isSignedIn(mine) },
      { name: 'another session', other: true, isAlive: isSignedIn(other) },
    ],
    devices: [{ name: 'a remembered device', isAlive: addDevice() }],
    emailChange: [
      { name: 'the link that confirms', isAlive: confirm.isOpen },
      {
        name: 'the address that waits',
        isAlive: one('users where id = ? and temporary_email is not null', userId),
      },
    ],
    links: [{ name: 'the link that sets a password', isAlive: reset.isOpen }],
    secondFactor: passkey
      ? [
          {
            name: 'two-step sign-in',
            since: true,
            isAlive: one('second_factors where user_id = ?', userId),
          },
          {
            name: 'the recovery codes',
            since: true,
            isAlive: {
              query: () =>
                statement(
                  'select count(*) = 10 as n from recovery_codes where user_id = ?',
                  userId,
                ),
            },
          },
          { name: 'a passkey', since: true, isAlive: passkey.isAlive },
        ]
      : [],
    passkeysAlone: passkey
      ? [{ name: 'a passkey without the password', isAlive: passkey.replacesPassword }]
      : [],
    apiKeys: [
      { name: 'an old key', isAlive: await addKey(before, false) },
      { name: 'a new key', since: true, isAlive: await addKey(after, false) },
      { name: 'a key for operators', ofOperator: true, isAlive: await addKey(before, true) },
    ],
    invitations: [
      {
        name: 'an old invitation to the store',
        there: true,
        isAlive: addInvitation(before, { storeId: store.id }),
      },
      {
        name: 'a new invitation to the store',
        there: true,
        since: true,
        isAlive: addInvitation(after, { storeId: store.id }),
      },
      {
        name: 'an invitation to a store as an operator',
        ofOperator: true,
        isAlive: addInvitation(before, { storeId: elsewhere.id, byOperator: true }),
      },
      {
        name: 'an invitation to the team of another partner',
        there: true,
        isAlive: addInvitation(before, { partnerId: partner.userId }),
      },
    ],
    grants: [
      {
        name: 'the connection of an app',
        since: true,
        there: true,
        isAlive: {
          async works(follow: () => Promise<unknown>) {
            await follow();
            return (await app.api('GET /catalog/brands')).status === 200;
          },
        },
      },
    ],
    members: [
      { name: 'who came before', isAlive: isMember(oldGuest, 'manager') },
      { name: 'who came since', since: true, isAlive: isMember(newGuest, 'manager') },
      ...(colleague === undefined
        ? []
        : [
            {
              name: 'who joined the team since',
              since: true,
              isAlive: one(
                'partner_members where user_id = ? and partner_id = ?',
                colleague,
                userId,
              ),
            },
          ]),
      { name: 'a raised role', since: true, isAlive: isMember(raised.userId, 'manager') },
      {
        name: 'the absence of a member',
        since: true,
        isAlive: one(
          'users where id = ? and not exists (select 1 from memberships where user_id = users.id)',
          removed.userId,
        ),
      },
    ],
    demands: strict
      ? [
          {
            name: 'a store without its demand',
            since: true,
            isAlive: one('stores where id = ? and mfa_required = 0', strict.id),
          },
        ]
      : [],
    apps: own
      ? [
          {
            name: 'a redirect URI',
            since: true,
            isAlive: one(
              'apps where client_id = ? and redirect_uris like ?',
              own.client_id,
              `%${theirs}%`,
            ),
          },
          {
            name: 'a published app',
            since: true,
            isAlive: one("apps where client_id = ? and state = 'published'", own.client_id),
          },
          {
            name: 'the webhook of an app',
            since: true,
            isAlive: one('app_webhooks where client_id = ? and active = 1', own.client_id),
          },
        ]
      : [],
    webhooks: [
      { name: 'an old webhook', isAlive: await addWebhook(before) },
      { name: 'a new webhook', since: true, isAlive: await addWebhook(after) },
    ],
    operators: [
      {
        name: 'an operator whom they made',
        since: true,
        isAlive: one('users where id = ? and super_user = 1', made.userId),
      },
    ],
  };
  const [first, ...rest] = links;
  if (first) await directory.batch([first, ...rest]);
  await env.DIRECTORY.batch(rows);
  const leave = () => run('update users set super_user = 0 where id = ?', made.userId);
  return { store, userId, email, ownerId, mine, other, factor, items, confirm, reset, undo, leave };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** Without the spaces and dashes that only align a table. */
const squeeze = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '---');

const columns = {
  sessions: 'sessions',
  devices: 'remembered devices',
  emailChange: 'a change of address that waits',
  links: 'links that set a password',
  secondFactor: 'two-step sign-in and its codes',
  passkeysAlone: 'passkeys without the password',
  apiKeys: 'API keys',
  invitations: 'invitations they sent',
  grants: 'connections of apps they made',
  members: 'members and teams',
  demands: 'demands they switched off',
  apps: 'redirect URIs, publication and webhooks of their apps',
  webhooks: 'webhooks they set up',
  operators: 'operators they made',
} as const;

type Extent = 'all' | 'others' | 'since' | 'ofOperator' | 'there' | 'refused' | undefined;

const extentOf = (event: EndOfTrust, column: keyof typeof columns): Extent =>
  (endsOfTrust[event] as Partial<Record<keyof typeof columns, Extent>>)[column];

/** Whether an item ends, by the table. `lost` names the store or team of the event. */
function mustEnd(item: Item, extent: Extent, lost: 'store' | 'team' | undefined): boolean {
  if (extent === 'others') return item.other === true;
  if (extent === 'since') return item.since === true;
  if (extent === 'ofOperator') return item.ofOperator === true;
  if (extent === 'there') {
    return item.there === true && item.name.includes('team') === (lost === 'team');
  }
  return extent !== undefined;
}

const page = async (browser: Browser, path: string, fields: Record<string, string> = {}) =>
  expect((await browser.submit(path, fields)).status).toBe(303);
/** Opens a link in a browser of its own, and sends its form. */
const link = async (address: string, fields: Record<string, string> = {}) => {
  const browser = new Browser();
  const [path = ''] = address.split('?');
  const hidden = hiddenFieldsOf(await browser.get(address), path);
  expect([200, 303]).toContain((await browser.post(path, { ...hidden, ...fields })).status);
};
const operation = async (path: string, body: object = { reason }) =>
  expect((await operator.api(`POST /operator${path}`, body)).status).toBeLessThan(300);
const olga = await new Browser().signIn(operator.userId);
const ownerOf = ({ ownerId }: World) => new Browser().signIn(ownerId);

interface Way {
  /** How the event comes about. */
  cause: (world: World) => Promise<unknown>;
  options?: Parameters<typeof createWorld>[0];
  lost?: 'store' | 'team';
}

const fresh = 'another horse battery';
const manager = { options: { isOwner: false }, lost: 'store' } as const;

/**
 * Every way to each event: pages of users, pages and operations of operators. Their command line
 * calls the operations.
 */
const ways: Record<EndOfTrust, Record<string, Way>> = {
  password_changed: {
    page: {
      cause: ({ mine }) =>
        page(mine, '/account/password', { current: testPassword, fresh, repeated: fresh }),
    },
  },
  password_reset: {
    page: {
      cause: ({ reset }) => link(reset.path, { password: fresh, repeated: fresh }),
    },
  },
  sessions_ended: {
    page: {
      cause: async ({ mine }) => {
        const path = '/session/end-everywhere';
        const fields = hiddenFieldsOf(await mine.get('/account'), path);
        expect((await mine.post(path, fields)).status).toBe(303);
      },
    },
    operation: { cause: ({ userId }) => operation(`/users/${userId}/end-sessions`) },
    'page of operators': {
      cause: ({ userId }) => page(olga, `/operator/users/${userId}/end-sessions`, { reason }),
    },
  },
  other_sessions_ended: {
    page: { cause: ({ mine }) => page(mine, '/account/sessions/end-others') },
  },
  doors_shut: {
    page: {
      cause: ({ mine }) => page(mine, '/account/security/shut-doors', { webhooks: '1' }),
    },
  },
  email_change_cancelled: {
    page: { cause: ({ mine }) => page(mine, '/account/profile/e-mail/cancel') },
  },
  second_factor_on: {
    page: {
      options: { hasFactor: false },
      cause: async ({ mine }) => {
        const shown = await mine.get('/account/security/second-factor');
        const [, secret = ''] = /<code[^>]*>([A-Z2-7 ]{16,})<\/code>/.exec(shown.html) ?? [];
        const token = /name="secret_token" value="([^"]+)"/.exec(shown.html)?.[1] ?? '';
        await page(mine, '/account/security/second-factor', {
          secret_token: token,
          code: codeOf(secret.replaceAll(' ', '')),
        });
      },
    },
  },
  passkey_removed: {
    page: {
      cause: async ({ mine, userId }) => {
        const { results } = await run(
          `insert into passkeys (user_id, credential_id, public_key, sign_count, challenged_at, name, created_at)
            values (?, ?, '', 0, 0, 'Lost phone', 1) returning id`,
          userId,
          crypto.randomUUID(),
        );
        const [{ id } = { id: 0 }] = results as { id: number }[];
        await page(mine, `/account/security/passkeys/${id}/remove`);
      },
    },
  },
  email_change_undone: { page: { cause: ({ undo }) => link(undo.path) } },
  user_deactivated: {
    operation: { cause: ({ userId }) => operation(`/users/${userId}/deactivate`) },
    'page of operators': {
      cause: ({ userId }) => page(olga, `/operator/users/${userId}/deactivate`, { reason }),
    },
  },
  user_erased: {
    operation: {
      options: { isOwner: false, hasApp: false },
      cause: ({ userId }) => operation(`/users/${userId}/erasures`),
    },
  },
  operator_unmade: {
    operation: { cause: ({ userId }) => operation(`/users/${userId}/revoke-operator`) },
    'page of operators': {
      cause: ({ userId }) => page(olga, `/operator/users/${userId}/revoke-operator`, { reason }),
    },
  },
  store_handed_over: {
    page: {
      lost: 'store',
      cause: async ({ mine, store }) => {
        const next = await createTestUser();
        await run(
          "insert into memberships (user_id, store_id, role, created_at) values (?, ?, 'manager', 1)",
          next.userId,
          store.id,
        );
        await page(mine, `/account/stores/${store.alias}/members/${next.userId}/hand-over`);
      },
    },
  },
  member_removed: {
    page: {
      ...manager,
      cause: async (world) =>
        page(
          await ownerOf(world),
          `/account/stores/${world.store.alias}/members/${world.userId}/remove`,
        ),
    },
    'page of the member': {
      ...manager,
      cause: ({ mine, store }) => page(mine, `/account/stores/${store.alias}/leave`),
    },
    operation: {
      ...manager,
      cause: ({ userId, store }) => operation(`/stores/${store.id}/members/${userId}/remove`),
    },
  },
  member_made_viewer: {
    page: {
      ...manager,
      cause: async (world) =>
        page(await ownerOf(world), `/account/stores/${world.store.alias}/members/${world.userId}`, {
          role: 'viewer',
        }),
    },
  },
  store_locked: {
    operation: {
      lost: 'store',
      cause: ({ store }) => operation(`/stores/${store.id}/deactivate`),
    },
    'page of operators': {
      lost: 'store',
      cause: ({ store }) => page(olga, `/operator/stores/${store.id}/deactivate`, { reason }),
    },
  },
  second_factor_required: {
    page: {
      options: { isOwner: false, hasFactor: false },
      lost: 'store',
      cause: async ({ ownerId, store }) => {
        await addSecondFactor(ownerId);
        const owner = await new Browser().signIn(ownerId);
        await showCode(ownerId);
        await page(owner, `/account/stores/${store.alias}/second-factor`);
      },
    },
  },
  team_member_removed: {
    'page of the partner': {
      lost: 'team',
      cause: async ({ userId }) =>
        page(await new Browser().signIn(partner.userId), `/partners/team/members/${userId}/remove`),
    },
    'page of the member': {
      lost: 'team',
      cause: ({ mine }) => page(mine, `/partners/team/of/${partner.userId}/leave`),
    },
  },
};

/** The first way to an event is first, and the last one last; they are one if there is no other. */
const rows = Object.entries(ways).flatMap(([event, all]) =>
  Object.entries(all).map(([name, way], index, { length }) => ({
    event: event as EndOfTrust,
    name,
    way,
    isFirst: index === 0,
    isLast: index === length - 1,
  })),
);

/** Lets an event happen as `cause` says, and looks at each cell of its row. */
async function expectRow(
  event: EndOfTrust,
  way: Way,
  cause: (world: World) => Promise<unknown>,
): Promise<void> {
  const world = await createWorld(way.options);
  const kinds = Object.keys(columns) as (keyof typeof columns)[];
  const all = kinds.flatMap((column) =>
    world.items[column].map((item) => ({ column, item, extent: extentOf(event, column) })),
  );
  const items = all.map(({ item }) => item);
  const named = (alive: readonly boolean[]) => items.map(({ name }, i) => [name, alive[i]]);
  expect(named(await areAlive(items, world.store))).toEqual(named(items.map(() => true)));
  await cause(world);
  const expected: [string, string][] = [];
  const actual: [string, string][] = [];
  const stays = await areAlive(items, world.store);
  await world.leave();
  for (const [index, { column, item, extent }] of all.entries()) {
    // A new one follows the session that changed the password.
    const isReplaced = event === 'password_changed' && item.name === 'the session that asks';
    const ends = mustEnd(item, extent, way.lost) && !isReplaced;
    expected.push([`${column}: ${item.name}`, ends ? 'ends' : 'stays']);
    actual.push([`${column}: ${item.name}`, stays[index] ? 'stays' : 'ends']);
  }
  expect(actual).toEqual(expected);
}

/** Lets an event happen in another isolate: this one forgets nothing of what it knows. */
async function causeElsewhere(cause: () => Promise<unknown>): Promise<void> {
  const kept = (['delete', 'deleteWhere'] as const).map((name) =>
    vi.spyOn(TtlCache.prototype, name).mockImplementation(() => undefined),
  );
  try {
    await cause();
  } finally {
    for (const spy of kept) spy.mockRestore();
  }
}

describe('what ends when trust ends', () => {
  it.each(rows.filter(({ isFirst, isLast }) => isSlow || !isFirst || isLast))(
    '$event, by $name: each cell of the table, in this isolate at once',
    async ({ event, way }) => expectRow(event, way, way.cause),
  );

  it.each(rows.filter(({ isFirst }) => isSlow || isFirst))(
    '$event, by $name: each cell of the table, 60 seconds later in an isolate that kept all it knew',
    async ({ event, way }) =>
      expectRow(event, way, async (world) => {
        await causeElsewhere(() => way.cause(world));
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
        onTestFinished(() => void vi.useRealTimers());
      }),
  );
});

describe('the owner of an account who takes a change of address back', () => {
  it('keeps two-step sign-in and codes from before it was asked for', async () => {
    const { userId, undo, factor } = await createWorld();
    await run('update second_factors set created_at = ? where user_id = ?', before, userId);
    await run('update recovery_codes set created_at = ? where user_id = ?', before, userId);
    await link(undo.path);
    const kept = 'select count(*) as n from recovery_codes where user_id = ?';
    expect([await count(kept, userId), factor?.recoveryCodes.length]).toEqual([10, 10]);
    const enabled = 'select mfa_enabled as n from users where id = ?';
    expect(await count(enabled, userId)).toBe(1);
  });

  it('keeps an old factor, but no codes that the author of the change made', async () => {
    const { userId, undo } = await createWorld();
    await run('update second_factors set created_at = ? where user_id = ?', before, userId);
    await link(undo.path);
    const factors = 'select count(*) as n from second_factors where user_id = ?';
    const codes = 'select count(*) as n from recovery_codes where user_id = ?';
    expect([await count(factors, userId), await count(codes, userId)]).toEqual([1, 0]);
  });
});

describe('a link that confirms an address', () => {
  it('is dead after any change of the password, also one that left the link alone', async () => {
    const { userId, confirm, email } = await createWorld();
    await run('update passwords set changed_at = ? where user_id = ?', Date.now(), userId);
    const browser = new Browser();
    const hidden = hiddenFieldsOf(await browser.get(confirm.path), '/e-mail/confirm');
    await browser.post('/e-mail/confirm', hidden);
    const address = await env.DIRECTORY.prepare('select email from users where id = ?')
      .bind(userId)
      .first('email');
    expect(address).toBe(email);
  });
});

describe('an invitation', () => {
  it.each([
    [
      'its sender lost the store',
      (id: number) => run('update stores set owner_id = 1 where owner_id = ?', id),
    ],
    ['its sender is inactive', (id: number) => run('update users set active = 0 where id = ?', id)],
  ])('lets no one in once %s, even if nothing withdrew it', async (_, lose) => {
    const store = await createTestStore();
    const { userId, email } = await createTestUser();
    const path = await inviteTo(store, email);
    const guest = await new Browser().signIn(userId);
    const open = await guest.get(path);
    const [action = ''] = path.split('?');
    const hidden = hiddenFieldsOf(open, action);
    await lose(store.userId);
    expect((await guest.get(path)).text).toContain('withdrawn');
    await guest.post(action, hidden);
    expect(await roleOf(store, userId)).toBeNull();
  });
});

describe('the README of accounts', () => {
  it('shows the same table', () => {
    const words = {
      all: 'end',
      others: 'end, but this one',
      since: 'those since then end',
      ofOperator: 'those as an operator end',
      there: 'those of it end',
      refused: 'refused there',
      none: '–',
    };
    const kinds = Object.keys(columns) as (keyof typeof columns)[];
    const table = [
      ['Event', ...Object.values(columns)],
      ['---', ...kinds.map(() => '---')],
      ...(Object.keys(endsOfTrust) as EndOfTrust[]).map((event) => [
        `\`${event}\``,
        ...kinds.map((kind) => words[extentOf(event, kind) ?? 'none']),
      ]),
    ].map((cells) => `| ${cells.join(' | ')} |`);
    expect(squeeze(readme)).toContain(squeeze(table.join('\n')));
  });
});
