import { createHash } from 'node:crypto';
import * as z from 'zod';
import {
  accountId,
  clearContent,
  emptyWorker,
  type FakeAccount,
  type FakeWorker,
  identify,
  runCutSql,
  runSql,
  type TimeTravel,
} from './fake-account.ts';
import { findMisfit } from './published-calls.ts';

/**
 * The calls of the platform's API that a deployment makes: our own, and those of the pinned
 * wrangler. Each row has the path, the query and the body as the callers send them, and an answer.
 * A call that has no row, or does not fit its row or what the platform publishes
 * (`published-calls.ts`), is a {@link UnknownCall}, which ends the test.
 */

/** An answer of the platform that is no success. */
class Refusal extends Error {
  readonly status: number;
  readonly code: number;

  constructor(status: number, code: number, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** A call that the platform does not document: the test that makes it fails. */
export class UnknownCall extends Error {}

/** A zone of the account, with the records that stand in it. */
type Zones = Record<string, { name: string; type: string; content: string }[]>;

/** The account as the calls see it, and how this platform misbehaves. */
export interface Platform {
  account: FakeAccount;
  /** The accounts of the login. */
  accounts: { id: string; name: string }[];
  zones: Zones;
  /** The Worker that has a host as its custom domain. */
  domains: Record<string, string>;
  /** Databases that do not answer: their queries get 500. */
  ill: ReadonlySet<string>;
  /** The location in which the platform puts a database instead of the one that is asked for. */
  elsewhere: Readonly<Record<string, string>>;
  /** Whether it cuts the text of a query at every semicolon, also at those within a trigger. */
  isSplitWrongly: boolean;
  /** The id of the n-th version of a Worker. */
  versionId: (number: number) => string;
  /** What its databases held. */
  timeTravel: TimeTravel;
  /** The address at which this platform answers. */
  origin: string;
}

interface Context<Query, Body> {
  platform: Platform;
  account: FakeAccount;
  /** The named parts of the path. */
  at: Readonly<Record<string, string>>;
  query: Query;
  body: Body;
  headers: Headers;
}

/** The `result` of an answer, and perhaps the counts of its page. */
type Answer = { result: unknown; info?: object };

interface Call {
  /** The method and the path, with `{}` for each part that differs. */
  name: string;
  method: string;
  path: RegExp;
  query: z.ZodType;
  body: z.ZodType;
  answer: (context: Context<never, never>) => Answer;
}

const none = z.undefined();

function call<Query extends z.ZodType, Body extends z.ZodType>(
  line: string,
  { query, body }: { query?: Query; body?: Body },
  answer: (context: Context<z.output<Query>, z.output<Body>>) => Answer,
): Call {
  const [method = '', path = ''] = line.split(' ');
  const below = path.replace('ACCOUNT', `/accounts/${accountId}`);
  return {
    name: `${method} ${path.replace('ACCOUNT', '/accounts/{}').replaceAll(/\{\w*\}/g, '{}')}`,
    method,
    path: new RegExp(`^${below.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
    query: query ?? z.strictObject({}),
    body: body ?? none,
    answer,
  };
}

const found = (result: unknown, info?: object): Answer => ({ result, ...(info && { info }) });

function required<T>(value: T | undefined, status: number, code: number, message: string): T {
  if (value === undefined) throw new Refusal(status, code, message);
  return value;
}

/** A page of a list, counted as the platform does. */
function pageOf(
  all: readonly unknown[],
  query: { page?: string | undefined; per_page?: string | undefined },
): Answer {
  const size = Number(query.per_page ?? 20);
  const page = Number(query.page ?? 1);
  const result = all.slice((page - 1) * size, page * size);
  return found(result, {
    page,
    per_page: size,
    count: result.length,
    total_count: all.length,
    total_pages: Math.ceil(all.length / size),
  });
}

const number = z.string().regex(/^\d+$/);
const paging = { page: number.optional(), per_page: number.optional() };
const uuid = z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/);
/** A statement for a database, or several. */
const query = z.strictObject({ sql: z.string().min(1) });
const hexId = z.string().regex(/^[\da-f]{32}$/);

/** Bindings of a version. Each refers to something that must exist. */
const binding = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('plain_text'), name: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('secret_text'), name: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('kv_namespace'), name: z.string(), namespace_id: hexId }),
  z.strictObject({ type: z.literal('queue'), name: z.string(), queue_name: z.string() }),
  z.strictObject({
    type: z.literal('r2_bucket'),
    name: z.string(),
    bucket_name: z.string(),
    jurisdiction: z.enum(['eu', 'fedramp']).optional(),
  }),
  z.strictObject({ type: z.literal('d1'), name: z.string(), id: uuid }),
  z.strictObject({ type: z.literal('analytics_engine'), name: z.string(), dataset: z.string() }),
  z.strictObject({
    type: z.literal('ratelimit'),
    name: z.string(),
    namespace_id: number,
    simple: z.strictObject({ limit: z.int().positive(), period: z.literal([10, 60]) }),
  }),
  z.strictObject({
    type: z.literal('send_email'),
    name: z.string(),
    allowed_sender_addresses: z.array(z.email()),
  }),
  z.strictObject({ type: z.literal('version_metadata'), name: z.string() }),
  z.strictObject({ type: z.literal('assets'), name: z.string() }),
]);

const observability = z.strictObject({
  enabled: z.boolean(),
  head_sampling_rate: z.number().min(0).max(1).optional(),
  redact_query_string: z.boolean().optional(),
  logs: z.strictObject({ enabled: z.boolean(), invocation_logs: z.boolean() }).optional(),
});

const tailConsumers = z.array(z.strictObject({ service: z.string() }));

/** How Durable Objects get new code. The service has none, and wrangler sends its default. */
const codeUpdates = z.strictObject({
  mode: z.enum(['deferred', 'immediate']),
  max_delay: z.number().optional(),
});

/** The part `metadata` of an upload. */
const metadata = z.strictObject({
  main_module: z.string(),
  bindings: z.array(binding),
  compatibility_date: z.iso.date(),
  compatibility_flags: z.array(z.string()).optional(),
  keep_bindings: z.array(z.enum(['plain_text', 'json', 'secret_text', 'secret_key'])).optional(),
  annotations: z
    .strictObject({
      'workers/tag': z.string().optional(),
      'workers/message': z.string().optional(),
    })
    .optional(),
  assets: z.strictObject({ jwt: z.string(), config: z.looseObject({}) }).optional(),
  limits: z.strictObject({ cpu_ms: z.int().max(300_000) }).optional(),
  placement: z.strictObject({ mode: z.literal('targeted'), region: z.string() }).optional(),
  tail_consumers: tailConsumers.optional(),
  observability: observability.optional(),
  package_dependencies: z.array(z.looseObject({})).optional(),
  code_update_strategy: codeUpdates.optional(),
});

/** The parts of an upload: its metadata, and its modules by name. */
const upload = z
  .instanceof(FormData)
  .transform((form) => ({
    metadata: JSON.parse(String(form.get('metadata'))) as unknown,
    modules: [...form.keys()].filter((name) => name !== 'metadata'),
  }))
  .pipe(z.strictObject({ metadata, modules: z.array(z.string()) }))
  .refine(({ metadata: { main_module: main }, modules }) => modules.includes(main), 'main_module');

/** Throws if a binding of a version leads to nothing, as the platform does. */
function assertBound(
  { databases, namespaces, queues, buckets, workers }: FakeAccount,
  sent: z.output<typeof metadata>,
) {
  const missing = sent.bindings.find((one) => {
    if (one.type === 'd1') return !Object.values(databases).some(({ id }) => id === one.id);
    if (one.type === 'kv_namespace') return !Object.values(namespaces).includes(one.namespace_id);
    if (one.type === 'queue') return !queues.includes(one.queue_name);
    if (one.type === 'r2_bucket') {
      return (
        buckets[one.bucket_name]?.jurisdiction !== one.jurisdiction || !(one.bucket_name in buckets)
      );
    }
    return false;
  });
  if (missing)
    throw new Refusal(400, 10021, `binding ${missing.name} of type ${missing.type} must exist`);
  for (const [name, { id, migrated }] of Object.entries(databases)) {
    if (migrated === 0 && sent.bindings.some((one) => one.type === 'd1' && one.id === id)) {
      throw new UnknownCall(`A version is uploaded before ${name} has its tables.`);
    }
  }
  const watch = sent.tail_consumers?.find(({ service }) => !(service in workers));
  if (watch) throw new Refusal(400, 10064, `tail consumer ${watch.service} does not exist`);
}

/**
 * Stores a version of a Worker that exists or is new, without traffic. Secrets stay unless others
 * come.
 */
function storeVersion(
  { account, at, platform }: Context<unknown, unknown>,
  sent: z.output<typeof metadata>,
) {
  assertBound(account, sent);
  const worker = (account.workers[at.worker ?? ''] ??= emptyWorker());
  const id = platform.versionId(worker.versions.length + 1);
  worker.versions.push(id);
  worker.tags[id] = sent.annotations?.['workers/tag'] ?? '';
  worker.places[id] = sent.placement?.region;
  for (const one of sent.bindings) {
    if (one.type === 'secret_text') worker.secrets[one.name] = one.text;
    if (one.name === 'RESTORING_SHARDS' && one.type === 'plain_text') {
      worker.restoring[id] = one.text.split(' ').filter(Boolean);
    }
  }
  return { worker, id };
}

const workerOf = ({ account, at }: Context<unknown, unknown>): FakeWorker =>
  required(
    account.workers[at.worker ?? ''],
    404,
    10007,
    'This Worker does not exist on your account.',
  );

/** A point in time that answers have, and that no caller reads. */
const someTime = '2026-01-01T00:00:00.000000Z';

const describeVersion = (worker: FakeWorker, id: string) => ({
  id,
  number: worker.versions.indexOf(id) + 1,
  metadata: {
    created_on: someTime,
    modified_on: someTime,
    author_email: 'operator@store.example',
    source: 'wrangler',
  },
  annotations: { 'workers/tag': worker.tags[id] ?? '' },
  resources: {
    bindings: Object.keys(worker.secrets).map((name) => ({ name, type: 'secret_text' })),
    script: { etag: identify(id), handlers: ['fetch'], last_deployed_from: 'wrangler' },
    script_runtime: {},
  },
});

const describeDeployment = ({ traffic }: FakeWorker) => ({
  id: '00000000-0000-4000-8000-00000000000d',
  source: 'wrangler',
  strategy: 'percentage',
  author_email: 'operator@store.example',
  created_on: someTime,
  annotations: {},
  versions: Object.entries(traffic).map(([version_id, percentage]) => ({ version_id, percentage })),
});

const databaseOf = ({ account, at }: Context<unknown, unknown>) => {
  const entry = Object.entries(account.databases).find(([, { id }]) => id === at.database);
  const [name, database] = required(
    entry,
    404,
    7404,
    `The database ${at.database} could not be found`,
  );
  return { name, database };
};

const describeDatabase = (
  name: string,
  { id, location, jurisdiction }: FakeAccount['databases'][string],
) => ({
  uuid: id,
  name,
  version: 'production',
  created_at: someTime,
  file_size: 0,
  num_tables: 0,
  running_in_region: location.toUpperCase() || null,
  jurisdiction,
});

const describeQueue = ({ workers }: FakeAccount, name: string) => ({
  queue_id: identify(name),
  queue_name: name,
  producers: [],
  producers_total_count: 0,
  consumers: Object.entries(workers)
    .filter(([, { consumers }]) => consumers.includes(name))
    .map(([script]) => ({
      consumer_id: identify(`${name} ${script}`),
      type: 'worker',
      script,
      settings: {},
    })),
  consumers_total_count: 0,
});

const queueOf = ({ account, at }: Context<unknown, unknown>): string =>
  required(
    account.queues.find((name) => identify(name) === at.queue),
    404,
    11_000,
    'The queue does not exist.',
  );

const consumer = z.strictObject({
  type: z.literal('worker'),
  script_name: z.string(),
  dead_letter_queue: z.string().optional(),
  settings: z.strictObject({
    batch_size: z.int().min(1).max(100).optional(),
    max_retries: z.int().min(0).max(100).optional(),
    max_wait_time_ms: z.int().min(0).max(60_000).optional(),
    max_concurrency: z.int().min(1).max(250).nullish(),
    retry_delay: z.int().min(0).max(43_200).optional(),
  }),
});

/** Connects a Worker to a queue. A dead letter queue must exist, too. */
function setConsumer(context: Context<unknown, z.output<typeof consumer>>): Answer {
  const { account, body } = context;
  const queue = queueOf(context);
  const worker = workerOf({ ...context, at: { worker: body.script_name } });
  if (body.dead_letter_queue !== undefined && !account.queues.includes(body.dead_letter_queue)) {
    throw new Refusal(400, 11_000, `Queue "${body.dead_letter_queue}" does not exist.`);
  }
  if (!worker.consumers.includes(queue)) worker.consumers.push(queue);
  return found({ consumer_id: identify(`${queue} ${body.script_name}`) });
}

/** A jurisdiction is no part of the path of a bucket, but a header. */
const jurisdictionOf = ({ headers }: Context<unknown, unknown>) =>
  headers.get('cf-r2-jurisdiction') ?? undefined;

const bucketOf = (context: Context<unknown, unknown>) => {
  const bucket = context.account.buckets[context.at.bucket ?? ''];
  return required(
    bucket?.jurisdiction === jurisdictionOf(context) ? bucket : undefined,
    404,
    10_006,
    'The specified bucket does not exist.',
  );
};

/** A token of the form that the platform gives for an upload of assets; callers read its claims. */
export const sessionToken = ['{"alg":"none"}', '{"exp":4000000000}', '']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.');

const origins = z.array(z.strictObject({ hostname: z.hostname() }));

const md5 = z.string().regex(/^[\da-f]{32}$/);

const zoneOf = ({ platform, at }: Context<unknown, unknown>) =>
  required(
    platform.zones[at.zone?.replace(/^zone-of-/, '') ?? ''],
    404,
    7003,
    'Could not route to the zone',
  );

const calls: readonly Call[] = [
  // Who asks.
  call(
    'GET /accounts',
    { query: z.strictObject({ ...paging, name: z.string().optional() }) },
    ({ platform, query }) => pageOf(platform.accounts, query),
  ),

  // D1.
  call(
    'GET ACCOUNT/d1/database',
    { query: z.strictObject({ ...paging, name: z.string().optional() }) },
    ({ account, query }) =>
      pageOf(
        Object.entries(account.databases)
          .filter(([name]) => query.name === undefined || name.includes(query.name))
          .map(([name, database]) => describeDatabase(name, database)),
        query,
      ),
  ),
  call(
    'POST ACCOUNT/d1/database',
    {
      body: z.strictObject({
        name: z.string().regex(/^[\w-]{1,64}$/),
        primary_location_hint: z.enum(['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc']).optional(),
        jurisdiction: z.enum(['eu', 'fedramp']).optional(),
      }),
    },
    ({ account, platform, body: { name, primary_location_hint: hint, jurisdiction = null } }) => {
      if (name in account.databases) {
        throw new Refusal(400, 7502, `A database with the name ${name} already exists`);
      }
      const id = identify(name).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
      const database = {
        id,
        location: platform.elsewhere[name] ?? hint ?? '',
        jurisdiction,
        migrated: 0,
        statements: [],
      };
      account.databases[name] = database;
      clearContent(account, id);
      return found(describeDatabase(name, database));
    },
  ),
  call('GET ACCOUNT/d1/database/{database}', {}, (context) => {
    const { name, database } = databaseOf(context);
    return found(describeDatabase(name, database));
  }),
  call(
    'POST ACCOUNT/d1/database/{database}/query',
    { body: z.union([query, z.strictObject({ batch: z.array(query).min(1) })]) },
    (context) => {
      const { account, platform, body } = context;
      const { name, database } = databaseOf(context);
      if (platform.ill.has(name)) throw new Refusal(500, 7500, 'internal error');
      try {
        const run = platform.isSplitWrongly ? runCutSql : runSql;
        const results = ('batch' in body ? body.batch : [body]).map(({ sql }) => ({
          success: true,
          results: run(account, database.id, sql),
          meta: {},
        }));
        return found(results);
      } catch (error) {
        throw new Refusal(400, 7500, `${(error as Error).message}: SQLITE_ERROR`);
      }
    },
  ),
  call(
    'GET ACCOUNT/d1/database/{database}/time_travel/bookmark',
    { query: z.strictObject({ timestamp: z.iso.datetime().optional() }) },
    (context) => {
      const { account, platform, query: asked } = context;
      const { database } = databaseOf(context);
      const { timestamp } = asked;
      const bookmark =
        timestamp === undefined
          ? platform.timeTravel.keep(account, database.id, Date.now())
          : platform.timeTravel.find(database.id, Date.parse(timestamp));
      return found({ bookmark: required(bookmark, 400, 7400, 'The timestamp is too old') });
    },
  ),
  call(
    'POST ACCOUNT/d1/database/{database}/time_travel/restore',
    { query: z.strictObject({ bookmark: z.string() }) },
    (context) => {
      const { account, platform, query: asked } = context;
      const { id } = databaseOf(context).database;
      const previous = platform.timeTravel.keep(account, id, Date.now());
      if (!platform.timeTravel.restore(account, id, asked.bookmark)) {
        throw new Refusal(400, 7400, 'Unknown bookmark');
      }
      const bookmark = platform.timeTravel.keep(account, id, Date.now());
      return found({ bookmark, previous_bookmark: previous, message: 'Restored' });
    },
  ),
  call(
    'POST ACCOUNT/d1/database/{database}/import',
    {
      body: z.discriminatedUnion('action', [
        z.strictObject({ action: z.literal('init'), etag: md5 }),
        z.strictObject({ action: z.literal('ingest'), etag: md5, filename: z.string() }),
        z.strictObject({ action: z.literal('poll'), current_bookmark: z.string() }),
      ]),
    },
    (context) => {
      const { account, platform, body } = context;
      const { database } = databaseOf(context);
      const state = { success: true, type: 'import', messages: [], at_bookmark: 'bookmark' };
      if (body.action === 'init') {
        const filename = `${database.id}.sql`;
        return found({ ...state, filename, upload_url: `${platform.origin}/upload/${filename}` });
      }
      if (body.action === 'ingest') {
        const text = account.files[body.filename] ?? '';
        if (createHash('md5').update(text).digest('hex') !== body.etag) {
          throw new Refusal(400, 7500, 'The file was not uploaded');
        }
        runSql(account, database.id, text);
        return found({ ...state, status: 'active' });
      }
      return found({
        ...state,
        status: 'complete',
        result: {
          num_queries: 1,
          final_bookmark: 'bookmark',
          meta: { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 },
        },
      });
    },
  ),

  // KV.
  call(
    'GET ACCOUNT/storage/kv/namespaces',
    {
      query: z.strictObject({
        ...paging,
        order: z.enum(['id', 'title']).optional(),
        direction: z.enum(['asc', 'desc']).optional(),
      }),
    },
    ({ account, query }) =>
      pageOf(
        Object.entries(account.namespaces).map(([title, id]) => ({ id, title })),
        query,
      ),
  ),
  call(
    'POST ACCOUNT/storage/kv/namespaces',
    { body: z.strictObject({ title: z.string().min(1).max(512) }) },
    ({ account, body: { title } }) => {
      if (title in account.namespaces) {
        throw new Refusal(400, 10_014, `A namespace with the title ${title} exists already.`);
      }
      const id = identify(title);
      account.namespaces[title] = id;
      return found({ id, title });
    },
  ),

  // Queues.
  call(
    'GET ACCOUNT/queues',
    {
      query: z.strictObject({
        ...paging,
        name: z.union([z.string(), z.array(z.string())]).optional(),
      }),
    },
    ({ account, query }) =>
      pageOf(
        account.queues
          .filter((name) => query.name === undefined || [query.name].flat().includes(name))
          .map((name) => describeQueue(account, name)),
        // Pages have a size of their own, which no document names.
        { page: query.page, per_page: '20' },
      ),
  ),
  call(
    'POST ACCOUNT/queues',
    {
      body: z.strictObject({
        queue_name: z.string().regex(/^[\da-z]([\da-z-]{0,61}[\da-z])?$/),
        settings: z.strictObject({}).optional(),
      }),
    },
    ({ account, body: { queue_name: name } }) => {
      if (account.queues.includes(name)) {
        throw new Refusal(400, 11_009, `Queue name '${name}' is already taken.`);
      }
      account.queues.push(name);
      return found(describeQueue(account, name));
    },
  ),
  call('POST ACCOUNT/queues/{queue}/consumers', { body: consumer }, (context) => {
    const queue = queueOf(context);
    if (
      workerOf({ ...context, at: { worker: context.body.script_name } }).consumers.includes(queue)
    ) {
      throw new Refusal(400, 11_004, 'Queue is already consumed by this Worker.');
    }
    return setConsumer(context);
  }),
  call('PUT ACCOUNT/queues/{queue}/consumers/{consumer}', { body: consumer }, setConsumer),

  // R2.
  call(
    'POST ACCOUNT/r2/buckets',
    {
      body: z.strictObject({
        name: z.string().regex(/^[\da-z][\da-z-]{1,61}[\da-z]$/),
        locationHint: z.enum(['wnam', 'enam', 'weur', 'eeur', 'apac', 'oc']).optional(),
        storageClass: z.enum(['Standard', 'InfrequentAccess']).optional(),
      }),
    },
    (context) => {
      const { account, body } = context;
      if (body.name in account.buckets) {
        throw new Refusal(
          409,
          10_004,
          'The bucket you tried to create already exists, and you own it.',
        );
      }
      const jurisdiction = jurisdictionOf(context);
      account.buckets[body.name] = {
        location: body.locationHint ?? '',
        ...(jurisdiction && { jurisdiction }),
        rules: [],
      };
      return found({ name: body.name });
    },
  ),
  call('GET ACCOUNT/r2/buckets/{bucket}', {}, (context) => {
    const { location } = bucketOf(context);
    return found({
      name: context.at.bucket,
      location,
      storage_class: 'Standard',
      creation_date: someTime,
    });
  }),
  call(
    'PUT ACCOUNT/r2/buckets/{bucket}/lifecycle',
    {
      body: z.strictObject({
        rules: z.array(
          z.strictObject({
            id: z.string(),
            enabled: z.boolean(),
            conditions: z.strictObject({ prefix: z.string() }),
            deleteObjectsTransition: z.strictObject({
              condition: z.strictObject({ type: z.literal('Age'), maxAge: z.int().positive() }),
            }),
          }),
        ),
      }),
    },
    (context) => {
      bucketOf(context).rules = context.body.rules;
      return found({});
    },
  ),

  // Workers: versions, traffic and secrets.
  call('GET ACCOUNT/workers/services/{worker}', {}, (context) => {
    const { account, at } = context;
    const name = at.worker ?? '';
    required(account.workers[name], 404, 10_090, 'This service does not exist on your account.');
    const script = { tag: identify(name), tags: [], last_deployed_from: 'wrangler' };
    return found({
      id: name,
      default_environment: { environment: 'production', script },
      environments: [{ environment: 'production' }],
    });
  }),
  call(
    'PUT ACCOUNT/workers/scripts/{worker}',
    {
      query: z.strictObject({
        excludeScript: z.literal('true').optional(),
        bindings_inherit: z.literal('strict').optional(),
      }),
      body: upload,
    },
    (context) => {
      const { worker, id } = storeVersion(context, context.body.metadata);
      worker.traffic = { [id]: 100 };
      worker.deployments += 1;
      return found({
        id: context.at.worker,
        tag: identify(context.at.worker ?? ''),
        etag: identify(id),
        deployment_id: id.replaceAll('-', ''),
        startup_time_ms: 20,
      });
    },
  ),
  call(
    'POST ACCOUNT/workers/scripts/{worker}/versions',
    {
      query: z.strictObject({ bindings_inherit: z.literal('strict').optional() }),
      body: upload,
    },
    (context) => {
      workerOf(context);
      const { worker, id } = storeVersion(context, context.body.metadata);
      return found({ ...describeVersion(worker, id), startup_time_ms: 20 });
    },
  ),
  call(
    'GET ACCOUNT/workers/scripts/{worker}/versions',
    { query: z.strictObject({ ...paging, deployable: z.enum(['true', 'false']).optional() }) },
    (context) => {
      const worker = workerOf(context);
      const items = worker.versions.toReversed().map((id) => describeVersion(worker, id));
      return found({ items });
    },
  ),
  call('GET ACCOUNT/workers/scripts/{worker}/versions/{version}', {}, (context) => {
    const worker = workerOf(context);
    const id = worker.versions.find((one) => one === context.at.version);
    return found(
      describeVersion(worker, required(id, 404, 10_145, 'The version could not be found.')),
    );
  }),
  call('GET ACCOUNT/workers/scripts/{worker}/deployments', {}, (context) =>
    found({ deployments: [describeDeployment(workerOf(context))] }),
  ),
  call(
    'POST ACCOUNT/workers/scripts/{worker}/deployments',
    {
      query: z.strictObject({ force: z.literal('true').optional() }),
      body: z.strictObject({
        strategy: z.literal('percentage'),
        versions: z
          .array(z.strictObject({ version_id: z.string(), percentage: z.number().min(0).max(100) }))
          .min(1)
          .max(2)
          .refine((all) => all.reduce((sum, one) => sum + one.percentage, 0) === 100, '100 %'),
        annotations: z.strictObject({ 'workers/message': z.string().optional() }).optional(),
        code_update_strategy: codeUpdates.optional(),
      }),
    },
    (context) => {
      const worker = workerOf(context);
      for (const { version_id: id } of context.body.versions) {
        if (!worker.versions.includes(id)) throw new Refusal(404, 10_145, `No version ${id}.`);
      }
      worker.traffic = Object.fromEntries(
        context.body.versions.map(({ version_id: id, percentage }) => [id, percentage]),
      );
      worker.deployments += 1;
      return found(describeDeployment(worker));
    },
  ),
  call(
    'PATCH ACCOUNT/workers/scripts/{worker}/script-settings',
    {
      body: z.strictObject({
        logpush: z.boolean().optional(),
        observability: observability.optional(),
        tags: z.array(z.string()).nullish(),
        tail_consumers: tailConsumers.nullish(),
      }),
    },
    (context) => {
      workerOf(context);
      return found(context.body);
    },
  ),
  call('GET ACCOUNT/workers/scripts/{worker}/settings', {}, (context) => {
    const worker = workerOf(context);
    return found({ bindings: describeVersion(worker, '').resources.bindings });
  }),
  call('GET ACCOUNT/workers/scripts/{worker}/secrets', {}, (context) =>
    found(Object.keys(workerOf(context).secrets).map((name) => ({ name, type: 'secret_text' }))),
  ),

  // Static assets: the platform names the hashes that it lacks, and takes those.
  call(
    'POST ACCOUNT/workers/scripts/{worker}/assets-upload-session',
    {
      body: z.strictObject({
        manifest: z.record(
          z.string().startsWith('/'),
          z.strictObject({ hash: md5, size: z.int().nonnegative() }),
        ),
      }),
    },
    ({ account, body: { manifest } }) => {
      const hashes = [...new Set(Object.values(manifest).map(({ hash }) => hash))];
      const missing = hashes.filter((hash) => !account.assets.includes(hash));
      return found({ jwt: sessionToken, buckets: missing.length > 0 ? [missing] : [] });
    },
  ),
  call(
    'POST ACCOUNT/workers/assets/upload',
    { query: z.strictObject({ base64: z.literal('true') }), body: z.instanceof(FormData) },
    ({ account, body }) => {
      account.assets.push(...body.keys());
      return found({ jwt: sessionToken });
    },
  ),

  // What leads to a Worker: hosts, cron, and the address on workers.dev.
  call('GET ACCOUNT/workers/workers/{worker}', {}, (context) => {
    workerOf(context);
    const name = context.at.worker ?? '';
    const subdomain = { enabled: false, previews_enabled: false };
    return found({ id: identify(name), name, subdomain, tags: [] });
  }),
  call(
    'POST ACCOUNT/workers/scripts/{worker}/subdomain',
    { body: z.strictObject({ enabled: z.literal(false), previews_enabled: z.literal(false) }) },
    (context) => {
      workerOf(context);
      return found(context.body);
    },
  ),
  call(
    'PUT ACCOUNT/workers/scripts/{worker}/schedules',
    { body: z.array(z.strictObject({ cron: z.string() })) },
    (context) => {
      workerOf(context).crons = context.body.map(({ cron }) => cron);
      return found({ schedules: context.body });
    },
  ),
  call(
    'POST ACCOUNT/workers/scripts/{worker}/domains/changeset',
    { query: z.strictObject({ replace_state: z.literal('true') }), body: origins },
    (context) => {
      const { host } = workerOf(context);
      const hosts = context.body.map(({ hostname }) => ({ hostname }));
      return found({
        added: hosts.filter(({ hostname }) => hostname !== host),
        removed: [],
        updated: [],
        conflicting: [],
      });
    },
  ),
  call(
    'PUT ACCOUNT/workers/scripts/{worker}/domains/records',
    {
      body: z.strictObject({
        override_scope: z.boolean(),
        override_existing_origin: z.boolean(),
        override_existing_dns_record: z.boolean(),
        origins,
      }),
    },
    (context) => {
      workerOf(context).host = context.body.origins[0]?.hostname ?? '';
      return found([]);
    },
  ),
  call(
    'GET ACCOUNT/workers/domains',
    { query: z.strictObject({ hostname: z.hostname() }) },
    ({ account, platform, query: { hostname } }) => {
      const [ours] =
        Object.entries(account.workers).find(([, { host }]) => host === hostname) ?? [];
      const service = ours ?? platform.domains[hostname];
      return found(service === undefined ? [] : [{ id: identify(hostname), hostname, service }]);
    },
  ),

  // Zones.
  call(
    'GET /zones',
    { query: z.strictObject({ ...paging, name: z.string(), 'account.id': z.literal(accountId) }) },
    ({ platform, query: { name } }) =>
      found(name in platform.zones ? [{ id: `zone-of-${name}`, name }] : []),
  ),
  call(
    'GET /zones/{zone}/dns_records',
    { query: z.strictObject({ ...paging, 'name.exact': z.string().optional() }) },
    ({ query: { 'name.exact': exact }, ...context }) =>
      found(
        zoneOf({ ...context, query: {} }).filter(
          ({ name }) => exact === undefined || exact === name,
        ),
      ),
  ),
];

/** The calls of the table, each as its method and its path, with `{}` for a part that differs. */
export const calledPaths = () => calls.map(({ name }) => name);

/** The parameters by name; one that is there more than once is an array. */
const readQuery = ({ searchParams }: URL) =>
  Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const [first, ...others] = searchParams.getAll(name);
      return [name, others.length > 0 ? [first, ...others] : first];
    }),
  );

/** Reads a body as its type says; `undefined` if there is none. */
async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('Content-Type') ?? '';
  if (type.startsWith('multipart/form-data')) return await request.formData();
  const text = await request.text();
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/**
 * A body as the platform publishes its form: of an upload, the metadata; of files alone, nothing.
 */
function jsonOf(body: unknown): unknown {
  if (!(body instanceof FormData)) return body;
  const metadata = body.get('metadata');
  return metadata === null ? {} : { metadata: JSON.parse(String(metadata)) as unknown };
}

/**
 * Answers a call as the platform does. Throws an {@link UnknownCall} if it is not in the table, or
 * does not fit it.
 */
export async function answerCall(platform: Platform, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const path = url.pathname.replace('/client/v4', '');
  const line = `${request.method} ${path}${url.search}`;
  const match = calls
    .filter(({ method }) => method === request.method)
    .map((row) => ({ row, groups: row.path.exec(path) }))
    .find(({ groups }) => groups !== null);
  if (!match) throw new UnknownCall(`${line} is not in the table of calls.`);
  const { row, groups } = match;
  const query = row.query.safeParse(readQuery(url));
  const sent = await readBody(request);
  const body = row.body.safeParse(sent);
  const error = query.error ?? body.error;
  const misfit =
    (error && z.prettifyError(error)) ??
    findMisfit(row.name, { query: readQuery(url), body: jsonOf(sent) });
  if (misfit !== undefined) throw new UnknownCall(`${line} does not fit:\n${misfit}`);
  const context = {
    platform,
    account: platform.account,
    at: { ...groups?.groups },
    query: query.data,
    body: body.data,
    headers: request.headers,
  };
  try {
    const { result, info } = row.answer(context as never);
    return Response.json({ success: true, errors: [], messages: [], result, result_info: info });
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    const { status, code, message } = failure;
    const errors = [{ code, message }];
    return Response.json({ success: false, errors, messages: [], result: null }, { status });
  }
}
