import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';
import { apiToken, accountId } from './fake-account.ts';

/** The parts of a derived configuration that wrangler sends. */
const configSchema = z.looseObject({
  name: z.string(),
  account_id: z.literal(accountId),
  compatibility_date: z.string().default('2026-01-01'),
  vars: z.record(z.string(), z.string()).default({}),
  routes: z.array(z.looseObject({ pattern: z.string() })).default([]),
  triggers: z.object({ crons: z.array(z.string()) }).default({ crons: [] }),
  d1_databases: z
    .array(z.looseObject({ binding: z.string(), database_id: z.string() }))
    .default([]),
  kv_namespaces: z.array(z.looseObject({ binding: z.string(), id: z.string() })).default([]),
  queues: z
    .object({
      producers: z.array(z.looseObject({ binding: z.string(), queue: z.string() })),
      consumers: z.array(
        z.looseObject({ queue: z.string(), dead_letter_queue: z.string().optional() }),
      ),
    })
    .default({ producers: [], consumers: [] }),
  r2_buckets: z
    .array(
      z.looseObject({
        binding: z.string(),
        bucket_name: z.string(),
        jurisdiction: z.string().optional(),
      }),
    )
    .default([]),
  placement: z.strictObject({ region: z.string() }).optional(),
  tail_consumers: z.array(z.strictObject({ service: z.string() })).default([]),
});

type Config = z.output<typeof configSchema>;

/**
 * Calls the API of the account, below it or below the root. Rejects with the error as wrangler
 * prints it.
 */
export type Ask = (
  line: string,
  body?: object | string,
  headers?: Record<string, string>,
) => Promise<unknown>;

const fail = (message: string): never => {
  throw new Error(`✘ [ERROR] ${message}`);
};

interface Command {
  ask: Ask;
  /** The parts of the command that its pattern names, in order. */
  parts: readonly string[];
  option: (name: string) => string;
  env: Readonly<Record<string, string | undefined>>;
}

const json = (value: unknown) => JSON.stringify(value);

const readConfig = ({ option }: Command): Config =>
  configSchema.parse(JSON.parse(readFileSync(option('--config'), 'utf8')));

const commands: readonly [RegExp, (command: Command) => Promise<string>][] = [
  [
    /^auth token --json$/,
    async () => `A line of text\n${json({ type: 'api_token', token: apiToken })}`,
  ],
  [
    /^d1 execute (\S+) --remote --yes --config \S+ --file \S+$/,
    async (command) => {
      const { d1_databases: databases } = readConfig(command);
      const id = databases.find(({ binding }) => binding === command.parts[0])?.database_id;
      const text = readFileSync(command.option('--file'), 'utf8');
      const etag = createHash('md5').update(text).digest('hex');
      const path = `POST ACCOUNT/d1/database/${id}/import`;
      const begun = (await command.ask(path, { action: 'init', etag })) as Record<string, string>;
      const { upload_url: url = '', filename } = begun;
      await command.ask(`PUT ${url}`, text);
      await command.ask(path, { action: 'ingest', etag, filename });
      return json(await command.ask(path, { action: 'poll', current_bookmark: 'bookmark' }));
    },
  ],
  [/^(?:deploy|versions upload) --config \S+ --secrets-file \S+ --tag \S+$/, uploadVersion],
  [
    /^versions deploy (.+) --yes --config \S+$/,
    async (command) => {
      const { name } = readConfig(command);
      const versions = (command.parts[0] ?? '').split(' ').map((spec) => {
        const [, id = '', share = ''] = /^(.+)@(\d+)%$/.exec(spec) ?? [];
        return { version_id: id, percentage: Number(share) };
      });
      await deployVersions(command.ask, name, versions);
      return 'Deployed';
    },
  ],
  [
    /^triggers deploy --config \S+$/,
    async (command) => {
      await setTriggers(command.ask, readConfig(command));
      return 'Deployed';
    },
  ],
];

/**
 * Answers one command of wrangler by calls of the API, as the real one does. Rejects with what
 * would be printed as an error.
 */
export async function answerCommand(
  ask: Ask,
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const option = (name: string) =>
    args.includes(name) ? (args[args.indexOf(name) + 1] ?? '') : '';
  const text = args.join(' ');
  const isLogin = text.startsWith('auth ');
  if (!isLogin && env.CLOUDFLARE_ACCOUNT_ID !== accountId) fail('More than one account available');
  for (const [pattern, answer] of commands) {
    const match = pattern.exec(text);
    if (match) return await answer({ ask, parts: match.slice(1), option, env });
  }
  return fail(`Unknown command: ${text}`);
}

const deployVersions = (ask: Ask, name: string, versions: object[]) =>
  ask(`POST ACCOUNT/workers/scripts/${name}/deployments`, { strategy: 'percentage', versions });

/** Uploads a version. `deploy` also gives it the traffic, and sets the triggers. */
async function uploadVersion(command: Command): Promise<string> {
  const { ask, option } = command;
  const config = readConfig(command);
  const secretsPath = option('--secrets-file');
  if ((statSync(secretsPath).mode & 0o777) !== 0o600) fail('The secrets are not private.');
  const secrets = JSON.parse(readFileSync(secretsPath, 'utf8')) as Record<string, string>;
  const form = new FormData();
  form.set('metadata', json(metadataOf(config, secrets, option('--tag'))));
  form.set('index.js', new File(['export default {};'], 'index.js'));
  const isUpload = option('versions') === 'upload';
  const path = `ACCOUNT/workers/scripts/${config.name}`;
  const isKnown = await ask(`GET ACCOUNT/workers/services/${config.name}`).then(
    () => true,
    () => false,
  );
  if (isKnown || isUpload) {
    const { id } = (await ask(`POST ${path}/versions`, form)) as { id: string };
    if (!isUpload) await deployVersions(ask, config.name, [{ version_id: id, percentage: 100 }]);
  } else await ask(`PUT ${path}`, form);
  if (!isUpload) await setTriggers(ask, config);
  return 'Uploaded';
}

const metadataOf = (config: Config, secrets: Record<string, string>, tag: string) => ({
  main_module: 'index.js',
  compatibility_date: config.compatibility_date,
  keep_bindings: ['secret_text'],
  bindings: [
    ...Object.entries(config.vars).map(([name, text]) => ({ type: 'plain_text', name, text })),
    ...Object.entries(secrets).map(([name, text]) => ({ type: 'secret_text', name, text })),
    ...config.d1_databases.map(({ binding: name, database_id: id }) => ({ type: 'd1', name, id })),
    ...config.kv_namespaces.map(({ binding: name, id }) => ({
      type: 'kv_namespace',
      name,
      namespace_id: id,
    })),
    ...config.queues.producers.map(({ binding: name, queue }) => ({
      type: 'queue',
      name,
      queue_name: queue,
    })),
    ...config.r2_buckets.map(({ binding: name, bucket_name, jurisdiction }) => ({
      type: 'r2_bucket',
      name,
      bucket_name,
      ...(jurisdiction !== undefined && { jurisdiction }),
    })),
  ],
  ...(config.placement && { placement: { mode: 'targeted', ...config.placement } }),
  ...(tag && { annotations: { 'workers/tag': tag } }),
  tail_consumers: config.tail_consumers,
});

/** Host, cron and consumers. */
async function setTriggers(ask: Ask, { name, routes, triggers, queues }: Config) {
  const path = `ACCOUNT/workers/scripts/${name}`;
  if (routes.length > 0) {
    await ask(`PUT ${path}/domains/records`, {
      override_scope: true,
      override_existing_origin: true,
      override_existing_dns_record: true,
      origins: routes.map(({ pattern }) => ({ hostname: pattern })),
    });
  }
  await ask(
    `PUT ${path}/schedules`,
    triggers.crons.map((cron) => ({ cron })),
  );
  for (const { queue, dead_letter_queue: dead } of queues.consumers) {
    const found = (await ask(`GET ACCOUNT/queues?page=1&name=${queue}`)) as {
      queue_id: string;
      consumers: { consumer_id: string; script: string }[];
    }[];
    const { queue_id: id, consumers } = found[0] ?? fail(`Queue "${queue}" does not exist.`);
    const ours = consumers.find(({ script }) => script === name);
    const body = { type: 'worker', script_name: name, dead_letter_queue: dead, settings: {} };
    await (ours
      ? ask(`PUT ACCOUNT/queues/${id}/consumers/${ours.consumer_id}`, body)
      : ask(`POST ACCOUNT/queues/${id}/consumers`, body));
  }
}
