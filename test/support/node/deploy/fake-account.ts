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
  /** Where a version runs, by its id. */
  places: Record<string, string | undefined>;
  /** The shards that a version leaves alone, by its id. */
  restoring: Record<string, string[]>;
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
  places: {},
  restoring: {},
});

/**
 * The id of something in the form of the platform. It is the same in every run, whatever the order
 * of calls.
 */
export const identify = (name: string) => createHash('md5').update(name).digest('hex');

export const accountId = 'f'.repeat(32);
export const accountName = 'Loja';
export const apiToken = 'fake-token-of-the-operator';

const contents = new WeakMap<FakeAccount, Map<string, DatabaseSync>>();

function contentOf(account: FakeAccount, id: string): DatabaseSync {
  const all = contents.get(account) ?? new Map<string, DatabaseSync>();
  contents.set(account, all);
  const database = all.get(id) ?? new DatabaseSync(':memory:');
  all.set(id, database);
  return database;
}

/** Empties a database that is new, though one of its name was there before. */
export const clearContent = (account: FakeAccount, id: string) => contents.get(account)?.delete(id);

/** Another account with what one has, and what its databases hold. */
export function copyAccount(original: FakeAccount): FakeAccount {
  const account = structuredClone(original);
  for (const [id, database] of contents.get(original) ?? []) {
    contentOf(account, id).deserialize(database.serialize());
  }
  return account;
}

/** A moment in the history of a database, by its bookmark. */
interface Moment {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  bookmark: string;
  content: Uint8Array;
}

/** What the databases of an account held, as Time Travel keeps it. */
export class TimeTravel {
  readonly #moments: Moment[];

  constructor(original?: TimeTravel) {
    this.#moments = original ? [...original.#moments] : [];
  }

  /** Keeps what a database holds as of a time, and returns its bookmark. */
  keep(account: FakeAccount, id: string, at: number): string {
    const bookmark = `${String(at).padStart(16, '0')}-${this.#moments.length}`;
    this.#moments.push({ id, at, bookmark, content: contentOf(account, id).serialize() });
    return bookmark;
  }

  /** The bookmark of a database at a time, if its history goes back so far. */
  find(id: string, at: number): string | undefined {
    return this.#moments.findLast((moment) => moment.id === id && moment.at <= at)?.bookmark;
  }

  /** Brings a database back to a bookmark. Returns whether there is such a one. */
  restore(account: FakeAccount, id: string, bookmark: string): boolean {
    const moment = this.#moments.find((one) => one.id === id && one.bookmark === bookmark);
    if (moment) contentOf(account, id).deserialize(moment.content);
    return moment !== undefined;
  }
}

/**
 * Runs the text of a query as a platform that cuts it at every semicolon, also at those within a
 * trigger.
 */
export const runCutSql = (account: FakeAccount, id: string, sql: string) =>
  runSql(account, id, sql, (text) => text.split(/(?<=;)/));

/**
 * Runs statements on a database of the account, all or none, as the platform does. Returns the rows
 * of the first.
 */
export function runSql(
  account: FakeAccount,
  id: string,
  sql: string,
  cut = (text: string) => [text],
): unknown[] {
  const database = contentOf(account, id);
  if (/^select\b|^insert\b[^;]*\breturning\b/i.test(sql)) return database.prepare(sql).all();
  database.exec('begin');
  try {
    for (const statement of cut(sql)) database.exec(statement);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
  if (sql.includes('deploy_locks set')) return [];
  const entry = Object.values(account.databases).find((known) => known.id === id);
  entry?.statements.push(sql);
  if (entry && sql.includes('INSERT INTO d1_migrations')) entry.migrated += 1;
  return [];
}
