import * as z from 'zod';
import { daySeconds } from '../base/durations.ts';
import { tablePrefix } from '../data/schema/store/transfers-tables.ts';
import { PlatformError, workInTens } from './cloudflare-api.ts';
import type { DatabaseResource } from './deployment-resources.ts';
import type { DeployRun, LiveWorker } from './run.ts';

const accountRecord = z.object({ id: z.string(), name: z.string() });

/** Chooses the account of the deployment file, else the only one of the login. */
export async function chooseAccount({ deployment, api, wrangler }: DeployRun): Promise<void> {
  wrangler.account ??= deployment.account_id;
  if (wrangler.account !== undefined) return;
  const accounts = await api.list('/accounts', accountRecord, { isRoot: true });
  if (accounts.length === 1) wrangler.account = accounts[0]?.id;
  if (wrangler.account !== undefined) return;
  const list = accounts.map(({ id, name }) => `  ${id} ${name}`).join('\n');
  throw new Error(`Put the account_id into the deployment file. The login has:\n${list}`);
}

const zones = z.array(z.object({ id: z.string() }));

/** The id of the zone of the host; `undefined` if the account has none. */
async function findZone({ deployment, wrangler, api }: DeployRun): Promise<string | undefined> {
  const labels = deployment.host.split('.');
  for (let first = 0; first < labels.length - 1; first += 1) {
    const path = `/zones?name=${labels.slice(first).join('.')}&account.id=${wrangler.account}`;
    const [zone] = zones.parse(await api.call({ path, isRoot: true }));
    if (zone) return zone.id;
  }
  return undefined;
}

const hostDomains = z.array(z.object({ hostname: z.string(), service: z.string() }));
const records = z.array(
  z.object({ name: z.string(), type: z.string(), content: z.string().default('') }),
);

/**
 * Asks which versions are live, and who has the host. Without a terminal, wrangler replaces the DNS
 * records of a host. So it must be free or ours: a wrong name must not take the address of
 * something that is live.
 */
export async function askLive(run: DeployRun): Promise<void> {
  const { deployment, api } = run;
  const { host, name } = deployment;
  run.worker = await readWorker(run, name);
  const domain = hostDomains
    .parse(await api.call({ path: `/workers/domains?hostname=${host}` }))
    .find(({ hostname }) => hostname === host);
  run.isHosted = domain?.service === name;
  if (run.isHosted || run.isHostTakenOver) return;
  const owner = domain ? `the Worker ${domain.service}` : await findRecords(run);
  if (owner === undefined) return;
  throw new Error(
    `${host} belongs to ${owner}, which this deployment would replace. Correct host in the deployment file; or run ` +
      'npm run deploy -- --take-over-host, if it shall be replaced.',
  );
}

/** The records of the host, in words. Throws if no zone of the account has it. */
async function findRecords(run: DeployRun): Promise<string | undefined> {
  const { host } = run.deployment;
  const zone = await findZone(run);
  if (zone === undefined) {
    throw new Error(`No zone of the account has ${host}. Add the zone, or correct host.`);
  }
  const path = `/zones/${zone}/dns_records?name.exact=${host}&per_page=100`;
  const found = records
    .parse(await run.api.call({ path, isRoot: true }))
    .filter((record) => record.name === host)
    .map(({ type, content }) => `${type} ${content}`.trim());
  if (found.length === 0) return undefined;
  return `${found.length === 1 ? 'a DNS record' : 'DNS records'} (${found.join(', ')})`;
}

const deployments = z.object({
  deployments: z.array(
    z.object({
      versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
    }),
  ),
});

const versions = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      annotations: z
        .object({ 'workers/tag': z.string().default('') })
        .default({ 'workers/tag': '' }),
    }),
  ),
});

/** Resolves to `undefined` if there is no such thing. */
const orMissing = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    if (error instanceof PlatformError && error.status === 404) return undefined;
    throw error;
  });

/** The last versions of a Worker and its traffic; `undefined` if there is no such Worker. */
export async function readWorker(
  { api }: DeployRun,
  name: string,
): Promise<LiveWorker | undefined> {
  const path = `/workers/scripts/${name}`;
  const live = await orMissing(api.call({ path: `${path}/deployments` }));
  if (live === undefined) return undefined;
  const [current] = deployments.parse(live).deployments;
  const { items } = versions.parse(await api.call({ path: `${path}/versions?deployable=true` }));
  return {
    versions: items.map(({ id, annotations }) => ({ id, tag: annotations['workers/tag'] })),
    traffic: new Map(current?.versions.map(({ version_id: id, percentage }) => [id, percentage])),
  };
}

/** The version that has all the traffic of a Worker, if one has. */
export function liveVersion({ versions: all, traffic }: LiveWorker) {
  const [id] = [...traffic].find(([, share]) => share === 100) ?? [];
  return id === undefined ? undefined : { id, tag: all.find((one) => one.id === id)?.tag ?? '' };
}

const secretList = z.array(z.object({ name: z.string() }));

/** The names of the secrets that the Worker has. */
export async function listSecrets({ api, deployment, worker }: DeployRun): Promise<string[]> {
  if (!worker) return [];
  const path = `/workers/scripts/${deployment.name}/secrets`;
  return secretList.parse(await api.call({ path })).map(({ name }) => name);
}

/** Kinds of resources: their path, and the fields that hold the name and the id. */
const kinds = {
  databases: ['/d1/database', 'name', 'uuid'],
  namespaces: ['/storage/kv/namespaces', 'title', 'id'],
  queues: ['/queues', 'queue_name', 'queue_id'],
} as const;

const resource = z.record(z.string(), z.unknown());

/** The ids of all resources of a kind, by name. */
async function listIds({ api }: DeployRun, [path, name, id]: (typeof kinds)[keyof typeof kinds]) {
  const all = await api.list(path, resource);
  return new Map(all.map((one) => [String(one[name]), String(one[id])]));
}

/** Creates the resources that are not in `found`, ten at a time. */
const createMissing = (
  { api }: DeployRun,
  [path, nameField, idField]: (typeof kinds)[keyof typeof kinds],
  found: Map<string, string>,
  names: readonly string[],
  more: object = {},
) =>
  workInTens(
    names.filter((name) => !found.has(name)),
    async (name) => {
      const body = { [nameField]: name, ...more };
      const made = resource.parse(await api.call({ method: 'POST', path, body }));
      found.set(name, String(made[idField]));
    },
  );

const idsOf = (
  found: ReadonlyMap<string, string>,
  all: readonly { binding: string; name: string }[],
) =>
  Object.fromEntries(
    all.flatMap(({ binding, name }) => (found.has(name) ? [[binding, found.get(name) ?? '']] : [])),
  );

/** Finds the databases by their names, of this deployment only. */
export async function findDatabases(run: DeployRun): Promise<Map<string, string>> {
  const { databases } = run.resources;
  const found = await listIds(run, kinds.databases);
  run.ids.databases = idsOf(found, databases);
  return found;
}

/**
 * Finds or creates the databases. Throws if the file has fewer shards than the account. One that is
 * gone is not made again unless that was asked for: its stores would be empty.
 */
export async function createDatabases(run: DeployRun): Promise<void> {
  const { deployment, resources } = run;
  const found = await findDatabases(run);
  const next = `${deployment.name}-store-${deployment.shards}`;
  if (found.has(next)) {
    throw new Error(`The deployment file no longer has ${next}. Shards stay.`);
  }
  const [directory] = resources.databases;
  if (directory && found.has(directory.name)) await assertPlace(run, directory);
  if (!run.isLossAccepted) await assertNoneLost(run);
  const names = resources.databases.map(({ name }) => name);
  const { jurisdiction, location } = deployment;
  // A jurisdiction decides alone where a database is.
  const place = jurisdiction ? { jurisdiction } : { primary_location_hint: location };
  await createMissing(run, kinds.databases, found, names, place);
  run.ids.databases = idsOf(found, resources.databases);
}

const openedShards = z.array(z.object({ number: z.number() }));

/**
 * Throws if the account lacks a database that has had stores: the directory of a Worker, and shards
 * that it knows.
 */
async function assertNoneLost(run: DeployRun): Promise<void> {
  const { resources, worker, ids } = run;
  const missing = resources.databases.filter(({ binding }) => !(binding in ids.databases));
  if (missing.length === 0 || !worker) return;
  const known = ids.databases.DIRECTORY
    ? openedShards.parse(await queryDatabase(run, 'DIRECTORY', 'select number from shards'))
    : [];
  const lost = missing.filter(
    ({ shard }) => shard === undefined || known.some(({ number }) => number === shard),
  );
  if (lost.length === 0) return;
  throw new Error(
    `The account has no ${lost.map(({ name }) => name).join(', ')} any more. Look for it; npm run deploy -- ` +
      '--replace-lost makes it again, without its data.',
  );
}

const databaseDetail = z.object({
  running_in_region: z.string().nullish(),
  jurisdiction: z.string().nullish(),
});

/** Throws if a database is not where the deployment file says: it cannot move. */
export async function assertPlace(run: DeployRun, { name, binding }: DatabaseResource) {
  const { jurisdiction: wanted, location } = run.deployment;
  const path = `/d1/database/${run.ids.databases[binding]}`;
  const found = databaseDetail.parse(await run.api.call({ path }));
  const jurisdiction = found.jurisdiction ?? undefined;
  if (jurisdiction !== wanted) {
    throw new Error(
      `${name} is in ${jurisdiction ? `the jurisdiction ${jurisdiction}` : 'no jurisdiction'}, and the deployment ` +
        `file says ${wanted ?? 'none'}. It is chosen when a database is created, for ever.`,
    );
  }
  const place = found.running_in_region?.toLowerCase() ?? location;
  if (place === location) return;
  throw new Error(
    `${name} is in ${place}, and the deployment file says ${location}. A database cannot move: write ${place} into ` +
      'the deployment file, or delete the database while it is empty.',
  );
}

/** Finds or creates the KV namespaces and the queues. */
export async function createNamespacesAndQueues(run: DeployRun): Promise<void> {
  const { namespaces, queues } = run.resources;
  const found = await listIds(run, kinds.namespaces);
  const titles = namespaces.map(({ name }) => name);
  await createMissing(run, kinds.namespaces, found, titles);
  run.ids.namespaces = idsOf(found, namespaces);
  await createMissing(run, kinds.queues, await listIds(run, kinds.queues), queues);
}

/**
 * Objects outlive the events in them by 30 days, for a restore; then the sweep deletes them. The
 * rule is a second net.
 */
const bucketMarginDays = 32;

/**
 * Finds or creates the buckets, and says when their objects expire. A jurisdiction decides alone
 * where a bucket is.
 */
export async function createBuckets({ api, resources, deployment }: DeployRun): Promise<void> {
  const { jurisdiction, location, retention_days: days } = deployment;
  // A jurisdiction is no part of the address of a bucket, but a header. Another one has other
  // buckets.
  const headers: Record<string, string> = jurisdiction
    ? { 'cf-r2-jurisdiction': jurisdiction }
    : {};
  const expiring = (id: string, prefix: string, maxAge: number) => ({
    id,
    enabled: true,
    conditions: { prefix },
    deleteObjectsTransition: { condition: { type: 'Age', maxAge } },
  });
  const rules = [
    expiring('expire', '', (days + bucketMarginDays) * daySeconds),
    // Uploaded tables that wait for their import.
    expiring('expire-tables', tablePrefix, daySeconds),
  ];
  for (const name of resources.buckets) {
    const path = `/r2/buckets/${name}`;
    if ((await orMissing(api.call({ path, headers }))) === undefined) {
      const body = jurisdiction ? { name } : { name, locationHint: location };
      await api.call({ method: 'POST', path: '/r2/buckets', body, headers });
    }
    await api.call({ method: 'PUT', path: `${path}/lifecycle`, body: { rules }, headers });
  }
}

const queryResults = z
  .array(z.object({ results: z.array(z.record(z.string(), z.unknown())).default([]) }))
  .min(1);

/**
 * Runs statements on a database, as one transaction. Returns the rows of the first. Callers make
 * them safe to repeat.
 */
export async function queryDatabase({ api, ids }: DeployRun, binding: string, sql: string) {
  const path = `/d1/database/${ids.databases[binding]}/query`;
  const [first] = queryResults.parse(await api.call({ method: 'POST', path, body: { sql } }));
  return first?.results ?? [];
}
