import * as z from 'zod';
import { PlatformError, workInTens } from './cloudflare-api.ts';
import type { DeployRun } from './step.ts';

const hostDomains = z.array(z.object({ hostname: z.string(), service: z.string() }));
const zones = z.array(z.object({ id: z.string(), name: z.string() }));
const records = z.array(
  z.object({ name: z.string(), type: z.string(), content: z.string().default('') }),
);

/**
 * Says who has a host now: another Worker, or records of its zone, which a deployment would replace without a question.
 * Returns `undefined` if the host is free or ours. Throws if no zone of the account has it.
 */
export async function findHostOwner(run: DeployRun): Promise<string | undefined> {
  const { deployment, api } = run;
  const { host, name } = deployment;
  const domain = hostDomains
    .parse(await api.call({ path: `/workers/domains?hostname=${host}` }))
    .find(({ hostname }) => hostname === host);
  if (domain) return domain.service === name ? undefined : `the Worker ${domain.service}`;
  const zone = await findZone(run);
  if (!zone) throw new Error(`No zone of the account has ${host}. Add the zone, or correct host.`);
  const query = `name.exact=${host}&per_page=100`;
  const found = records
    .parse(await api.call({ path: `/zones/${zone}/dns_records?${query}`, isRoot: true }))
    .filter((record) => record.name === host);
  if (found.length === 0) return undefined;
  return `${found.length === 1 ? 'a DNS record' : 'DNS records'} (${found
    .map(({ type, content }) => `${type} ${content}`.trim())
    .join(', ')})`;
}

/** The id of the zone of the host; `undefined` if the account has none. */
async function findZone({ deployment, state, api }: DeployRun): Promise<string | undefined> {
  const labels = deployment.host.split('.');
  for (let first = 0; first < labels.length - 1; first += 1) {
    const query = `/zones?name=${labels.slice(first).join('.')}&account.id=${state.state.account_id}`;
    const [zone] = zones.parse(await api.call({ path: query, isRoot: true }));
    if (zone) return zone.id;
  }
  return undefined;
}

/** The rights that a deployment needs, by the names of the platform, each with a call that shows that it can read. */
export const accountRights = [
  ['Account Settings: Read', ''],
  ['Workers Scripts: Edit', '/workers/scripts'],
  ['D1: Edit', '/d1/database?per_page=1'],
  ['Workers KV Storage: Edit', '/storage/kv/namespaces?per_page=5'],
  ['Queues: Edit', '/queues'],
  ['Workers R2 Storage: Edit', '/r2/buckets?per_page=5'],
] as const;

/** The rights to the zone of the host. */
export const zoneRights = [
  ['Zone: Read', ''],
  ['DNS: Read', '/dns_records?per_page=5'],
  ['Workers Routes: Edit', '/workers/routes'],
] as const;

/**
 * Throws if the token lacks a right, and names all that it lacks. The platform says only whether a token reads: one that
 * reads and does not edit stops the step that edits.
 */
export async function assertRights(run: DeployRun): Promise<void> {
  const { api, deployment } = run;
  const missing: string[] = [];
  const ask = async (right: string, call: Parameters<typeof api.call>[0]) => {
    await api.call(call).catch((error: unknown) => {
      if (!(error instanceof PlatformError && [401, 403].includes(error.status ?? 0))) throw error;
      missing.push(`${right} (${error.message.split('\n').at(-1)})`);
    });
  };
  await workInTens(accountRights, ([right, path]) => ask(right, { path }));
  const zone = await findZone(run).catch((error: unknown) => {
    if (!(error instanceof PlatformError && error.status === 403)) throw error;
    missing.push('Zone: Read');
    return undefined;
  });
  if (zone !== undefined) {
    await workInTens(zoneRights, ([right, path]) =>
      ask(right, { path: `/zones/${zone}${path}`, isRoot: true }),
    );
  }
  if (missing.length === 0) return;
  throw new Error(
    `The token lacks rights to the account, or to the zone of ${deployment.host}:\n  ${missing.sort().join('\n  ')}`,
  );
}

const listedDatabase = z.object({ name: z.string(), uuid: z.string() });

const databaseDetail = z.object({
  running_in_region: z.string().nullish(),
  jurisdiction: z.string().nullish(),
});

/** The ids of the databases of the account, by name. */
export async function listDatabases({ api }: DeployRun): Promise<Map<string, string>> {
  const list = await api.list('/d1/database', listedDatabase);
  return new Map(list.map(({ name, uuid }) => [name, uuid]));
}

/** The request that creates a database. A jurisdiction decides alone where it is; else the location is asked for. */
export const creationOf = ({ jurisdiction, location }: DeployRun['deployment'], name: string) =>
  jurisdiction ? { name, jurisdiction } : { name, primary_location_hint: location };

/** Creates a database and returns its id. */
export async function createDatabase(run: DeployRun, name: string) {
  const body = creationOf(run.deployment, name);
  const created = await run.api.call({ method: 'POST', path: '/d1/database', body });
  return listedDatabase.parse(created).uuid;
}

/** Where the account says a database is; a location that it does not name is `undefined`. */
export async function locateDatabase({ api }: DeployRun, id: string) {
  const found = databaseDetail.parse(await api.call({ path: `/d1/database/${id}` }));
  return {
    location: found.running_in_region?.toLowerCase(),
    jurisdiction: found.jurisdiction ?? undefined,
  };
}

const namespaceRecord = z.object({ title: z.string(), id: z.string() });

/** The ids of the KV namespaces of the account, by title. */
export async function listNamespaces({ api }: DeployRun): Promise<Map<string, string>> {
  const list = await api.list('/storage/kv/namespaces', namespaceRecord);
  return new Map(list.map(({ title, id }) => [title, id]));
}

/** Creates a KV namespace and returns its id. */
export async function createNamespace({ api }: DeployRun, title: string): Promise<string> {
  const path = '/storage/kv/namespaces';
  return namespaceRecord.parse(await api.call({ method: 'POST', path, body: { title } })).id;
}

const queueRecord = z.object({ queue_name: z.string() });

/** The names of the queues of the account. */
export async function listQueues({ api }: DeployRun): Promise<Set<string>> {
  const list = await api.list('/queues', queueRecord);
  return new Set(list.map(({ queue_name: name }) => name));
}

export async function createQueue({ api }: DeployRun, name: string): Promise<void> {
  await api.call({ method: 'POST', path: '/queues', body: { queue_name: name } });
}

/** A jurisdiction is no part of the address of a bucket, but a header. */
const bucketCall = ({ deployment: { jurisdiction } }: DeployRun, name: string) => ({
  path: `/r2/buckets/${name}`,
  ...(jurisdiction && { headers: { 'cf-r2-jurisdiction': jurisdiction } }),
});

/** The request that creates a bucket. A jurisdiction decides alone where it is. */
export const bucketCreationOf = (
  { jurisdiction, location }: DeployRun['deployment'],
  name: string,
) => (jurisdiction ? { name } : { name, locationHint: location });

/** Creates a bucket, unless it is there. Another jurisdiction has other buckets. */
export async function ensureBucket(run: DeployRun, name: string): Promise<void> {
  const call = bucketCall(run, name);
  const isThere = await run.api.call(call).then(
    () => true,
    (error: unknown) => {
      if (error instanceof PlatformError && error.status === 404) return false;
      throw error;
    },
  );
  const body = bucketCreationOf(run.deployment, name);
  if (!isThere) await run.api.call({ ...call, method: 'POST', path: '/r2/buckets', body });
}

/** Replaces the rules by which objects of a bucket expire. */
export async function setLifecycle(run: DeployRun, name: string, body: object): Promise<void> {
  const call = bucketCall(run, name);
  await run.api.call({ ...call, method: 'PUT', path: `${call.path}/lifecycle`, body });
}

const deploymentList = z.object({
  deployments: z.array(
    z.object({
      versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
    }),
  ),
});

/** The versions of the Worker that have the traffic now; `undefined` if there is no Worker yet. */
export async function readTraffic({ api, deployment }: DeployRun) {
  try {
    const path = `/workers/scripts/${deployment.name}/deployments`;
    return deploymentList.parse(await api.call({ path })).deployments[0]?.versions;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return undefined;
    throw error;
  }
}

const secretList = z.array(z.object({ name: z.string() }));

/** The names of the secrets that the Worker has. */
export async function listSecrets({ api, deployment }: DeployRun): Promise<string[]> {
  const path = `/workers/scripts/${deployment.name}/secrets`;
  return secretList.parse(await api.call({ path })).map(({ name }) => name);
}

const queryResults = z
  .array(z.object({ results: z.array(z.record(z.string(), z.unknown())).default([]) }))
  .min(1);

/** Runs statements on a database, as one transaction. Returns the rows of the first. Callers make them safe to repeat. */
export async function queryDatabase({ api, state }: DeployRun, binding: string, sql: string) {
  const path = `/d1/database/${state.state.databases[binding]?.id}/query`;
  const [first] = queryResults.parse(await api.call({ method: 'POST', path, body: { sql } }));
  return first?.results ?? [];
}
