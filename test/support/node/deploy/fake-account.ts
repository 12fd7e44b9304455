import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** Contents of a Cloudflare account, as far as a deployment changes it. */
export interface FakeAccount {
  databases: Record<
    string,
    {
      id: string;
      location: string;
      jurisdiction: string | null;
      replicas: string;
      migrated: number;
      statements: string[];
    }
  >;
  namespaces: Record<string, string>;
  queues: string[];
  buckets: Record<string, { location: string; jurisdiction?: string; rules: unknown }>;
  /** Workers by name. */
  workers: Record<string, FakeWorker>;
  /** The hashes of static assets. */
  assets: string[];
  /** Files that were uploaded for an import. */
  files: Record<string, string>;
}

export interface FakeWorker {
  versions: string[];
  /** The tags of versions, by id. */
  tags: Record<string, string>;
  secrets: Record<string, string>;
  traffic: Record<string, number>;
  /** How often the traffic was set. */
  deployments: number;
  /** The triggers of the Worker. */
  host: string;
  crons: string[];
  consumers: string[];
}

export const emptyAccount = (): FakeAccount => ({
  databases: {},
  namespaces: {},
  queues: [],
  buckets: {},
  workers: {},
  assets: [],
  files: {},
});

export const emptyWorker = (): FakeWorker => ({
  versions: [],
  tags: {},
  secrets: {},
  traffic: {},
  deployments: 0,
  host: '',
  crons: [],
  consumers: [],
});

/** The id of something in the form of the platform. It is the same in every run, whatever the order of calls. */
export const identify = (name: string) => createHash('md5').update(name).digest('hex');

export const accountId = 'f'.repeat(32);
export const accountName = 'Loja';
export const apiToken = 'fake-token-of-the-operator';

const contents = new WeakMap<FakeAccount, Map<string, DatabaseSync>>();

/** Runs the text of a query as a platform that cuts it at every semicolon, also at those within a trigger. */
export const runCutSql = (account: FakeAccount, id: string, sql: string) =>
  runSql(account, id, sql, (text) => text.split(/(?<=;)/));

/** Runs statements on a database of the account, all or none, as the platform does. Returns the rows of the first. */
export function runSql(
  account: FakeAccount,
  id: string,
  sql: string,
  cut = (text: string) => [text],
): unknown[] {
  const all = contents.get(account) ?? new Map<string, DatabaseSync>();
  contents.set(account, all);
  const database = all.get(id) ?? new DatabaseSync(':memory:');
  all.set(id, database);
  if (/^select\b|\bdeploy_turns\b.* returning/i.test(sql)) return database.prepare(sql).all();
  database.exec('begin');
  try {
    for (const statement of cut(sql)) database.exec(statement);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
  if (sql.includes('deploy_turns set')) return [];
  const entry = Object.values(account.databases).find((known) => known.id === id);
  entry?.statements.push(sql);
  if (entry && sql.includes('INSERT INTO d1_migrations')) entry.migrated += 1;
  return [];
}
