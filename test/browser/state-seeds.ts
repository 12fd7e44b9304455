import { dayMs } from '../../src/base/durations.ts';
import { transferKinds, transferStates } from '../../src/data/schema/store/transfers-tables.ts';
import { EndpointStatus } from '../../src/data/schema/store/webhooks-tables.ts';

/** A name of sixty characters in which no line can end. */
const longWord = 'Integradora_de_Estoque_da_Nuvem_Mantiqueira_2026_homologacao';

/** A name of a length that people give their shops. */
const longName = 'Empório Ipê dos Produtores Associados da Serra da Mantiqueira';

type Row = Record<string, unknown>;

/** Adds a row that is as the first one that `where` finds, but with another id and these values. */
async function addLike(database: D1Database, table: string, where: string, changes: Row) {
  const { results } = await database
    .prepare(`select name from pragma_table_xinfo('${table}') where hidden = 0`)
    .all<{ name: string }>();
  const row = await database.prepare(`select * from ${table} where ${where}`).first<Row>();
  const names = results.map(({ name }) => name).filter((name) => name !== 'id' || 'id' in changes);
  await database
    .prepare(`insert into ${table} (${names.join()}) values (${names.map(() => '?').join()})`)
    .bind(...names.map((name) => (name in changes ? changes[name] : row?.[name])))
    .run();
}

/** Webhooks that fail, were switched off, are paused, or got nothing yet. */
function addWebhooks(database: D1Database, now: number) {
  const fails = { first_failure_at: now - 3_600_000, consecutive_failures: 4, failure_count: 4 };
  const states: Row[] = [
    { status: EndpointStatus.active, ...fails, next_attempt_at: now + 200_000 },
    {
      status: EndpointStatus.active,
      name: longWord,
      url: `https://${longWord.replaceAll('_', '-')}.example/`,
    },
    { status: EndpointStatus.autoDisabled, ...fails, first_failure_at: now - 6 * dayMs },
    { status: EndpointStatus.paused, name: 'Pausado' },
    { status: EndpointStatus.active, last_success_at: null, proven_at: null, ordered: 1 },
  ];
  return states.map((state, index) =>
    addLike(database, 'webhook_endpoints', 'id = 1', {
      name: `ERP ${index}`,
      last_seq: 0,
      next_attempt_at: null,
      ...state,
    }),
  );
}

/** Imports and exports in each state. */
const addTransfers = (database: D1Database, now: number) =>
  transferKinds.flatMap((kind) =>
    // A visit exports: what is done has files, and an open export would keep it from that.
    transferStates
      .filter((state) => kind === 'import' || state === 'cancelled' || state === 'failed')
      .map((state) => {
        const isOpen = ['waiting', 'running', 'paused'].includes(state);
        return database
          .prepare(
            `insert into transfers (store_id, kind, state, reason, file, bytes, parts, total, done, failed, actor, user_id,
             started_at, due_at, finished_at, created_at, updated_at)
           values (1, ?1, ?2, ?3, 'none', 12345, '[]', 20000, 1, 1, '{"kind":"user","id":1,"name":"Ana"}', 1, ?4, ?5, ?6, ?4, ?4)`,
          )
          .bind(
            kind,
            state,
            { paused: 'event_budget', cancelled: 'requested', failed: 'file_lost' }[
              state as string
            ] ?? null,
            now - 60_000,
            isOpen ? now + dayMs : null,
            isOpen ? null : now,
          )
          .run();
      }),
  );

/** Keys that were used, expired, or end soon; and one with a long name. */
const addKeys = (directory: D1Database, now: number) =>
  [
    { name: longWord, last_used_at: now },
    { name: 'Termina', expires_at: now + dayMs, scopes: 1 },
    { name: 'Terminou', expires_at: now - dayMs },
    { name: 'Revogada', revoked_at: now - dayMs },
  ].map((changes) =>
    addLike(directory, 'api_keys', 'user_id = 1', {
      expires_at: null,
      ...changes,
      token_hash: crypto.randomUUID(),
    }),
  );

/** Invitations that are open, expired, accepted or withdrawn. */
const addInvitations = (directory: D1Database, now: number) =>
  [{}, { expires_at: now - dayMs }, { accepted_at: now }, { revoked_at: now }].map(
    (changes, index) => {
      const row: Row = {
        kind: 'store',
        email: `${longWord}.${index}@fornecedor-parceiro.example`.toLowerCase(),
        language: 'pt-BR',
        store_id: 1,
        role: 'viewer',
        invited_by: 1,
        token_hash: crypto.randomUUID(),
        created_at: now - 2 * dayMs,
        expires_at: now + dayMs,
        ...changes,
      };
      const names = Object.keys(row);
      return directory
        .prepare(
          `insert into invitations (${names.join()}) values (${names.map(() => '?').join()})`,
        )
        .bind(...Object.values(row))
        .run();
    },
  );

/** Stores of the merchant that need a second factor, were closed by their owner, or are locked. */
const addStores = (directory: D1Database, now: number) =>
  [
    { alias: 'segura', mfa_required: 1 },
    { alias: 'fechada', active: 0, closed_at: now, closed_by: 'owner', erase_at: now + 30 * dayMs },
    { alias: 'trancada', active: 0, locked_at: now, lock_reason: longName },
  ].map((changes) => addLike(directory, 'stores', 'id = 1', { name: longName, ...changes }));

/** Adds one of each thing in every state, and long names. */
export async function seedStates({ DIRECTORY, STORE_0 }: Env) {
  const now = Date.now();
  await Promise.all([
    ...addWebhooks(STORE_0, now),
    ...addTransfers(STORE_0, now),
    ...addKeys(DIRECTORY, now),
    ...addInvitations(DIRECTORY, now),
    ...addStores(DIRECTORY, now),
    ...['draft', 'published', 'disabled'].map((state) =>
      addLike(DIRECTORY, 'apps', `client_id = 'demo-app'`, {
        client_id: `${state}-of-all`,
        name: `${longWord}-${state}`,
        state,
        disabled_reason: state === 'disabled' ? longName : null,
      }),
    ),
    DIRECTORY.prepare(`update users set name = ? where email = 'vera@demo.test'`)
      .bind(longWord)
      .run(),
    DIRECTORY.prepare(`update stores set name = ? where alias = 'demo'`).bind(longName).run(),
  ]);
}
