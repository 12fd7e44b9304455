import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { switchSecondFactorOff } from '../../../src/accounts/sign-in/switch.ts';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { isStillMember } from '../../../src/data/directory/members.ts';
import { forgetUser } from '../../../src/http/access/forget-user.ts';
import { requireSecondFactor } from '../../../src/stores/edit-store.ts';
import { actionOf } from '../../support/action.ts';
import { createApiClient } from '../../support/api/client.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { addTestKey } from '../../support/fixtures/keys.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { callMcp } from '../../support/mcp/assistant.ts';
import {
  approveConsent,
  bearerHeaders,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
} from '../../support/oauth/partner.ts';
import { addSecondFactor, showCode } from '../../support/second-factor.ts';
import { followChanges } from '../../support/sweep.ts';
import { sendImport, workOff } from '../../support/transfers/transfers.ts';

const requireFactor = ({ id }: TestStore) =>
  env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?').bind(id).run();

/** Demands a second factor as the owner does, or no longer. */
async function demandFactor(store: TestStore, isRequired: boolean) {
  await requireSecondFactor(actionOf(store.userId), store, isRequired);
  // The shard has the fact at once, unless the isolate ends.
  await followChanges(env, store);
}

const answerOf = async ({ alias }: TestStore, headers: Record<string, string>) => {
  const { status, body } = await createApiClient(alias, headers)('GET /catalog/brands');
  return [status, body.code];
};

describe('a store that requires two-step sign-in of its members', () => {
  it('attack: returns 403 second_factor_required to a key of a member without one, also from before the rule', async () => {
    const store = await createTestStore();
    const before = await addTestKey(store.userId);
    await requireFactor(store);
    const after = await addTestKey(store.userId, { stores: [store] });
    for (const headers of [before, after]) {
      expect(await answerOf(store, headers)).toEqual([403, 'second_factor_required']);
    }
    await addSecondFactor(store.userId);
    for (const headers of [before, after]) {
      expect(await answerOf(store, headers)).toEqual([200, undefined]);
    }
  });

  it('attack: names no reason to a stranger, and neither an inactive store to its member (403)', async () => {
    const [store, stranger] = [await createTestStore(), await createTestStore()];
    await requireFactor(store);
    const foreign = await addTestKey(stranger.userId);
    expect(await answerOf(store, foreign)).toEqual([403, 'store_not_accessible']);
    await env.DIRECTORY.prepare('update stores set active = 0 where id = ?').bind(store.id).run();
    const own = await addTestKey(store.userId);
    expect(await answerOf(store, own)).toEqual([403, 'store_not_accessible']);
  });

  it('attack: is not reached by work that goes on for such a key after its request', async () => {
    const store = await createTestStore();
    const directory = openDatabase(env.DIRECTORY);
    await addTestKey(store.userId);
    const id = await env.DIRECTORY.prepare('select max(id) as id from api_keys where user_id = ?')
      .bind(store.userId)
      .first<number>('id');
    const isLive = () =>
      isStillMember(directory, {
        apiKeyId: id ?? 0,
        userId: store.userId,
        storeId: store.id,
        isChange: true,
        now: Date.now(),
      });
    expect(await isLive()).toBe(true);
    await requireFactor(store);
    expect(await isLive()).toBe(false);
    await addSecondFactor(store.userId);
    expect(await isLive()).toBe(true);
  });
});

describe('the apps that a member connected who lacks the second factor that the store demands', () => {
  const refused = [403, 'second_factor_required'];

  it('attack: reach nothing by old tokens, refreshed ones, or a code from before (403), and all again with a factor', async () => {
    const store = await createTestStore();
    const connected = await connectApp(store);
    const { app } = connected;
    const assistant = await connectApp(store, { host: 'claude.ai', resource: 'mcp' });
    const early = await approveConsent(store, app);
    const bearer = ({ access_token }: { access_token: string }) => bearerHeaders(app, access_token);
    const listByTool = async () => {
      const params = { name: 'list_brands', arguments: {} };
      const { Authorization = '' } = assistant.headers;
      const { body } = await callMcp('tools/call', params, { headers: { Authorization } });
      const { isError, structuredContent } = body.result ?? {
        isError: true,
        structuredContent: body,
      };
      return isError ? [structuredContent.status ?? 403, structuredContent.code] : [200, undefined];
    };
    expect(await answerOf(store, connected.headers)).toEqual([200, undefined]);
    await demandFactor(store, true);
    const refreshed = await postToken(refreshForm(app, connected.tokens.refresh_token));
    const redeemed = await postToken(redemptionForm(early));
    const all = [connected.headers, bearer(refreshed.body), bearer(redeemed.body)];
    const answers = () => Promise.all(all.map(async (headers) => answerOf(store, headers)));
    expect(await answers()).toEqual([refused, refused, refused]);
    expect(await listByTool()).toEqual(refused);
    await addSecondFactor(store.userId);
    const works = [200, undefined];
    expect(await answers()).toEqual([works, works, works]);
    expect(await listByTool()).toEqual(works);
    const next = await postToken(refreshForm(app, refreshed.body.refresh_token));
    expect(await answerOf(store, bearer(next.body))).toEqual(works);
  });

  it('attack: stop when the member has no second factor any more, until the store lets each decide', async () => {
    const store = await createTestStore();
    await addSecondFactor(store.userId);
    await demandFactor(store, true);
    const { headers } = await connectApp(store);
    expect(await answerOf(store, headers)).toEqual([200, undefined]);
    const { userId } = store;
    const idHash = await sha256(
      (await new Browser().signIn(userId)).cookies.get('__Host-session') ?? '',
    );
    await showCode(userId);
    await switchSecondFactorOff(actionOf(userId), { userId, idHash });
    expect(await answerOf(store, headers)).toEqual(refused);
    await demandFactor(store, false);
    expect(await answerOf(store, headers)).toEqual([200, undefined]);
  });

  it('cost the directory one look-up in half a minute where a store demands one, else none', async () => {
    const store = await createTestStore();
    await addSecondFactor(store.userId);
    const free = await connectApp(store);
    const costOf = async ({ headers }: Pick<typeof free, 'headers'>) => {
      const { directory, data } = await measureRequest(
        { ...store, headers },
        'GET /catalog/brands',
      );
      return [directory.roundTrips, data.roundTrips];
    };
    expect(await costOf(free)).toEqual([0, 1]);
    await demandFactor(store, true);
    const bound = await connectApp(store);
    forgetUser(store.userId);
    expect([await costOf(bound), await costOf(bound)]).toEqual([
      [1, 1],
      [0, 1],
    ]);
  });

  it('attack: do not go on with an import', async () => {
    const store = await createTestStore();
    await addSecondFactor(store.userId);
    const { userId } = await addTestMember(store, 'manager');
    const { headers } = await connectApp({ ...store, userId }, { scopes: ['catalog.write'] });
    const { body } = await sendImport({ alias: store.alias, headers }, ['{}']);
    await requireFactor(store);
    const ended = await workOff(store, `/catalog/imports/${body.data.id}`);
    expect(ended).toMatchObject({ state: 'cancelled', reason: 'access_ended', done: 0 });
  });
});
