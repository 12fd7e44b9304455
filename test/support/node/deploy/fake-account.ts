import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { resourceId } from './production-config.ts';

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
  /** The Worker that watches. */
  watch?: { name: string; secrets: Record<string, string>; deployments: number };
  worker?: {
    versions: string[];
    secrets: Record<string, string>;
    traffic: Record<string, number>;
    /** The triggers of the Worker, and how often they were set. */
    host: string;
    consumers: string[];
  };
}

export const emptyAccount = (): FakeAccount => ({
  databases: {},
  namespaces: {},
  queues: [],
  buckets: {},
});

export const accountId = 'f'.repeat(32);
export const apiToken = 'fake-token-of-the-operator';

/** The parts of the derived configuration that wrangler would send. */
const configSchema = z.looseObject({
  name: z.string(),
  account_id: z.literal(accountId),
  routes: z.tuple([z.looseObject({ pattern: z.string() })]),
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_id: z.string() })),
  kv_namespaces: z.array(z.looseObject({ id: z.string() })),
  queues: z.object({
    producers: z.array(z.looseObject({ queue: z.string() })),
    consumers: z.array(z.looseObject({ queue: z.string() })),
  }),
  r2_buckets: z.array(z.looseObject({ bucket_name: z.string() })),
  tail_consumers: z.array(z.strictObject({ service: z.string() })),
});

/** The configuration of an import: only the databases. */
const importConfigSchema = z.looseObject({
  account_id: z.literal(accountId),
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_id: z.string() })),
});

const watchConfigSchema = z.looseObject({
  name: z.string(),
  account_id: z.literal(accountId),
  kv_namespaces: z.tuple([z.strictObject({ binding: z.literal('WATCH'), id: z.string() })]),
});

type Config = z.output<typeof configSchema>;

class ApiError extends Error {}

const fail = (message: string): never => {
  throw new ApiError(`✘ [ERROR] ${message}`);
};

const requireThat: (condition: unknown, message: string) => asserts condition = (
  condition,
  message,
) => {
  if (!condition) fail(message);
};

interface Command {
  account: FakeAccount;
  /** The parts of the command that its pattern names, in order. */
  parts: readonly string[];
  option: (name: string) => string;
  env: Readonly<Record<string, string | undefined>>;
}

const workerOf = ({ worker }: FakeAccount) => {
  requireThat(worker, 'This Worker does not exist on your account. [code: 10007]');
  return worker;
};

const json = (value: unknown) => JSON.stringify(value);

/** Where a command puts something; an absent option is `undefined`. */
const placeOf = (option: Command['option']) => ({
  location: option('--location'),
  jurisdiction: option('--jurisdiction') || undefined,
});

const contents = new WeakMap<FakeAccount, Map<string, DatabaseSync>>();

/** Runs statements on a database of the account, all or none, as the platform does. Returns the rows of the first. */
export function runSql(account: FakeAccount, id: string, sql: string): unknown[] {
  const all = contents.get(account) ?? new Map<string, DatabaseSync>();
  contents.set(account, all);
  const database = all.get(id) ?? new DatabaseSync(':memory:');
  all.set(id, database);
  if (/^select\b|\bdeploy_turns\b.* returning/i.test(sql)) return database.prepare(sql).all();
  database.exec('begin');
  try {
    database.exec(sql);
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

/** The commands that need no configuration. */
const commands: readonly [RegExp, (command: Command) => string][] = [
  [/^whoami --json$/, () => json({ accounts: [{ id: accountId, name: 'Loja' }] })],
  [/^auth token --json$/, () => json({ type: 'api_token', token: apiToken })],
  [
    /^kv namespace list$/,
    ({ account }) => json(Object.entries(account.namespaces).map(([title, id]) => ({ title, id }))),
  ],
  [
    /^kv namespace create (\S+)$/,
    ({ account, parts: [name = ''] }) => {
      requireThat(!(name in account.namespaces), 'Namespace already exists [code: 10014]');
      const id = resourceId(5001 + Object.keys(account.namespaces).length);
      account.namespaces[name] = id.replaceAll('-', '');
      return 'Created';
    },
  ],
  [
    /^queues (create|info) (\S+)$/,
    ({ account, parts: [verb, name = ''] }) =>
      answerResource(verb, account.queues.includes(name), () => account.queues.push(name)),
  ],
  [
    /^r2 bucket (create|info) (\S+)/,
    ({ account, option, parts: [verb, name = ''] }) =>
      answerResource(verb, name in account.buckets, () => {
        const { location, jurisdiction } = placeOf(option);
        account.buckets[name] = { location, ...(jurisdiction && { jurisdiction }), rules: [] };
      }),
  ],
  [
    /^r2 bucket lifecycle set (\S+) --file \S+ --force(?: --jurisdiction \S+)?$/,
    ({ account, option, parts: [name = ''] }) => {
      const bucket = account.buckets[name];
      requireThat(
        bucket && bucket.jurisdiction === placeOf(option).jurisdiction,
        'The specified bucket does not exist. [code: 10006]',
      );
      bucket.rules = (
        JSON.parse(readFileSync(option('--file'), 'utf8')) as { rules: unknown }
      ).rules;
      return 'Set';
    },
  ],
  [
    /^secret list --name \S+$/,
    ({ account }) => {
      // Without a code, as the real one says it.
      requireThat(account.worker, 'Worker not found. If this is a new Worker, deploy it first.');
      return json(Object.keys(account.worker.secrets).map((name) => ({ name })));
    },
  ],
  [
    /^d1 execute (\S+) --remote --yes --config (\S+) --file \S+$/,
    ({ account, option, parts: [binding = '', path = ''] }) => {
      const config = importConfigSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
      const { id } = databaseOf(account, config, binding);
      runSql(account, id, readFileSync(option('--file'), 'utf8'));
      return 'Executed';
    },
  ],
  [/^deploy --config (\S+watch\.json) --secrets-file (\S+)$/, deployWatch],
  [
    /^deployments status --json --name \S+$/,
    ({ account }) => {
      const traffic = Object.entries(workerOf(account).traffic);
      return json({
        versions: traffic.map(([version_id, percentage]) => ({ version_id, percentage })),
      });
    },
  ],
];

/** The commands that send parts of the derived configuration; patterns without `--config`. */
const configuredCommands: readonly [RegExp, (command: Command & { config: Config }) => string][] = [
  [/^(deploy|versions upload) --secrets-file \S+ --tag \S+$/, uploadVersion],
  [
    /^versions deploy (.+) --yes$/,
    ({ account, parts: [specs = ''] }) => {
      const worker = workerOf(account);
      const traffic = specs.split(' ').map((spec) => {
        const [, id = '', percentage = ''] = /^(.+)@(\d+)%$/.exec(spec) ?? [];
        requireThat(worker.versions.includes(id), `Version ${id} does not exist.`);
        return [id, Number(percentage)] as const;
      });
      requireThat(traffic.reduce((sum, [, share]) => sum + share, 0) === 100, 'Not 100 percent.');
      worker.traffic = Object.fromEntries(traffic);
      return 'Deployed';
    },
  ],
  [
    /^triggers deploy$/,
    ({ account, config }) => {
      setTriggers(workerOf(account), config);
      return 'Deployed';
    },
  ],
];

/** Answers one command of wrangler, as the platform and the real wrangler do. Throws what would be printed as an error. */
export function answerCommand(
  account: FakeAccount,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string {
  const option = (name: string) =>
    args.includes(name) ? (args[args.indexOf(name) + 1] ?? '') : '';
  const text = args.join(' ');
  const isLogin = /^(?:whoami|auth) /.test(text);
  requireThat(
    isLogin || env.CLOUDFLARE_ACCOUNT_ID === accountId,
    'More than one account available',
  );
  for (const [pattern, answer] of commands) {
    const match = pattern.exec(text);
    if (match) return answer({ account, parts: match.slice(1), option, env });
  }
  const config = configSchema.parse(JSON.parse(readFileSync(option('--config'), 'utf8')));
  for (const [pattern, answer] of configuredCommands) {
    const match = pattern.exec(text.replace(/ --config \S+/, ''));
    if (match) return answer({ account, parts: match.slice(1), option, env, config });
  }
  return fail(`Unknown command: ${text}`);
}

function answerResource(verb: string | undefined, exists: boolean, create: () => void): string {
  if (verb === 'info') {
    requireThat(exists, 'It does not exist.');
    return 'It exists.';
  }
  requireThat(!exists, 'The name is already taken.');
  create();
  return 'Created';
}

function databaseOf(account: FakeAccount, config: Pick<Config, 'd1_databases'>, binding: string) {
  const id = config.d1_databases.find((entry) => entry.binding === binding)?.database_id;
  const database = Object.values(account.databases).find((entry) => entry.id === id);
  requireThat(database, `Couldn't find a D1 DB with the name or binding '${binding}'`);
  return database;
}

function uploadVersion({
  account,
  config,
  option,
  env,
  parts: [verb],
}: Command & { config: Config }) {
  assertResourcesExist(account, config);
  const isUpload = verb === 'versions upload';
  if (isUpload) workerOf(account);
  const secretsPath = option('--secrets-file');
  requireThat((statSync(secretsPath).mode & 0o777) === 0o600, 'The secrets are not private.');
  const fresh = { versions: [], secrets: {}, traffic: {}, host: '', consumers: [] };
  const worker = (account.worker ??= fresh);
  Object.assign(worker.secrets, JSON.parse(readFileSync(secretsPath, 'utf8')));
  const id = `version-${worker.versions.length + 1}`;
  worker.versions.push(id);
  if (!isUpload) {
    worker.traffic = { [id]: 100 };
    setTriggers(worker, config);
  }
  writeOutput(env, { type: isUpload ? 'version-upload' : 'deploy', version: 1, version_id: id });
  return 'Uploaded';
}

function deployWatch({ account, parts: [path = '', secretsPath = ''] }: Command) {
  const { name, kv_namespaces: namespaces } = watchConfigSchema.parse(
    JSON.parse(readFileSync(path, 'utf8')),
  );
  const { id } = namespaces[0];
  requireThat(Object.values(account.namespaces).includes(id), `KV ${id} does not exist.`);
  requireThat((statSync(secretsPath).mode & 0o777) === 0o600, 'The secrets are not private.');
  const secrets = JSON.parse(readFileSync(secretsPath, 'utf8')) as Record<string, string>;
  account.watch = { name, secrets, deployments: (account.watch?.deployments ?? 0) + 1 };
  return 'Deployed';
}

function setTriggers(worker: NonNullable<FakeAccount['worker']>, config: Config) {
  worker.host = config.routes[0].pattern;
  worker.consumers = config.queues.consumers.map(({ queue }) => queue);
}

function assertResourcesExist(account: FakeAccount, config: Config) {
  for (const { binding } of config.d1_databases) {
    requireThat(databaseOf(account, config, binding).migrated > 0, `${binding} is not migrated.`);
  }
  for (const { id } of config.kv_namespaces) {
    requireThat(Object.values(account.namespaces).includes(id), `KV ${id} does not exist.`);
  }
  for (const { queue } of [...config.queues.producers, ...config.queues.consumers]) {
    requireThat(account.queues.includes(queue), `Queue "${queue}" does not exist.`);
  }
  for (const { service } of config.tail_consumers) {
    requireThat(account.watch?.name === service, `Worker ${service} does not exist.`);
  }
  for (const { bucket_name: name } of config.r2_buckets) {
    requireThat(name in account.buckets, `Bucket ${name} does not exist.`);
  }
}

function writeOutput(env: Readonly<Record<string, string | undefined>>, entry: object) {
  const path = env.WRANGLER_OUTPUT_FILE_PATH;
  if (path === undefined) return;
  const lines = [{ type: 'wrangler-session', version: 1 }, entry];
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}
