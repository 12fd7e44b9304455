import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { withdrawApp } from '../../../src/data/directory/apps.ts';
import { endWithdrawnGrants } from '../../../src/oauth/withdraw-app.ts';
import { findOutgoingMove } from '../../../src/stores/move/outgoing-move.ts';
import { startMove } from '../../../src/stores/move/start-move.ts';
import { makeStep } from '../../../src/stores/move/steps.ts';
import { Browser } from '../../support/browser/browser.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { databaseOf } from '../../support/fixtures/shards.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { runMoves } from '../../support/move/run-moves.ts';
import {
  connectApp,
  createTestApp,
  postRevocation,
  postToken,
  refreshForm,
} from '../../support/oauth/partner.ts';
import { kindsFor } from '../../support/slow.ts';
import { followChanges } from '../../support/sweep.ts';

const operator = await createTestOperator();

/** A store with two managers and an app that one of them connected. */
async function createWorld() {
  const store = await createTestStore({ shard: 0 });
  const app = await createTestApp();
  const connected = await connectApp(store, { app });
  const owner = await new Browser().signIn(store.userId);
  const manager = await addTestMember(store, 'manager');
  return { store, app, connected, owner, manager };
}

type World = Awaited<ReturnType<typeof createWorld>>;

/** The ways to end the connection of the app. */
const endings: Readonly<Record<string, (world: World) => Promise<unknown>>> = {
  'its user is locked out': ({ store }) =>
    operator.api(`POST /operator/users/${store.userId}/deactivate`),
  'its app is disabled': async ({ app }) => {
    const id = await env.DIRECTORY.prepare('select id from apps where client_id = ?')
      .bind(app.client_id)
      .first<number>('id');
    await operator.api(`POST /operator/apps/${id}/disable`);
  },
  'its app is disabled, which no shard hears at once': ({ app }) =>
    withdrawApp(openDatabase(env.DIRECTORY), {
      clientId: app.client_id,
      state: 'disabled',
      now: Date.now(),
    }),
  'the store is handed over': ({ store, owner, manager }) =>
    owner.submit(`/account/stores/${store.alias}/members/${manager.userId}/hand-over`),
  'the store is locked': ({ store }) =>
    operator.api(`POST /operator/stores/${store.id}/deactivate`),
  'the owner disconnects it': ({ store, app, owner }) =>
    owner.submit(`/account/apps/${store.alias}/${app.client_id}/disconnect`),
  'the app revokes its token': ({ app, connected }) =>
    postRevocation({ client_id: app.client_id, token: connected.tokens.refresh_token }),
};

/** The steps that a move has made when the connection ends. */
const moments = [0, 1, 2, 3, 4] as const;

describe.each(Object.entries(endings))('a store that moves while %s', (name, end) => {
  it.each(kindsFor(name, Object.keys(endings), moments))(
    'keeps no access of the app, after %i steps of the move',
    async (steps) => {
      const world = await createWorld();
      const { store, app, connected } = world;
      const now = Date.now();
      const db = env.STORE_0;
      const context = { env, shard: 0, db, now: () => now, hasTime: () => true };
      const sweepBoth = async () => {
        for (const shard of [0, 1]) {
          await followChanges(env, { shard });
          await endWithdrawnGrants({ ...context, shard, db: databaseOf({ shard }) });
        }
      };
      expect((await startMove(env, store.id, 1, { moveId: crypto.randomUUID(), now })).ok).toBe(
        true,
      );
      for (let made = 0; made < steps; made += 1) {
        const outgoing = await findOutgoingMove(openDatabase(db), store.id);
        if (outgoing) await makeStep(context, outgoing);
      }
      const answer = (await end(world)) as { status: number } | undefined;
      // The sweeps of both shards may come first.
      await sweepBoth();
      await runMoves(0, now);
      const refused = answer !== undefined && answer.status >= 500;
      // A request that the move refused has ended nothing, and says so; it is sent again.
      if (refused) expect([name, answer.status]).toEqual([name, 503]);
      if (refused)
        expect((await end(world)) as { status: number }).not.toMatchObject({ status: 503 });
      await sweepBoth();
      const placed = await env.DIRECTORY.prepare('select shard from stores where id = ?')
        .bind(store.id)
        .first<number>('shard');
      expect(placed).toBe(1);
      const { status } = await connected.api('GET /catalog/brands');
      expect([401, 403]).toContain(status);
      // A lock keeps the connection: only its use is refused.
      if (name === 'the store is locked') return;
      const refreshed = await postToken(refreshForm(app, connected.tokens.refresh_token));
      expect([400, 401]).toContain(refreshed.status);
    },
  );
});
