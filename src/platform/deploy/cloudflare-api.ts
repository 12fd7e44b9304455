import * as z from 'zod';
import type { DeployRun } from './step.ts';

const tokenSchema = z.union([
  z.object({ token: z.string() }),
  z.object({ key: z.string(), email: z.string() }),
]);

/** Returns the credentials of wrangler, for calls that wrangler has no command for. */
async function authorization({ wrangler }: DeployRun): Promise<Record<string, string>> {
  const auth = tokenSchema.parse(
    await wrangler.runJson(['auth', 'token', '--json'], { isSecret: true }),
  );
  if ('token' in auth) {
    wrangler.hide([auth.token]);
    return { Authorization: `Bearer ${auth.token}` };
  }
  wrangler.hide([auth.key]);
  return { 'X-Auth-Key': auth.key, 'X-Auth-Email': auth.email };
}

/** The address of the API of the platform. */
const apiUrl = () => process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';

/** Calls the API and returns `result` of its response. Throws an error whose message can be shown to the operator. */
async function callApi(
  run: DeployRun,
  headers: Record<string, string>,
  { method = 'GET', path, body }: { method?: string; path: string; body?: object },
): Promise<unknown> {
  const url = `${apiUrl()}${path}`;
  const sent = body && JSON.stringify(body);
  const call = [method, url, ...(sent ? [sent] : [])].join(' ');
  run.print(`  ${call}`);
  const response = await run.fetch(url, {
    method,
    headers: { ...headers, ...(sent && { 'Content-Type': 'application/json' }) },
    ...(sent && { body: sent }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok) {
    const shown = run.wrangler.redact(text).slice(0, 1000);
    throw new Error(`${call}\nStatus ${response.status}: ${shown}`);
  }
  return z.object({ result: z.unknown() }).parse(JSON.parse(text)).result;
}

const hostDomains = z.array(z.object({ hostname: z.string(), service: z.string() }));
const zones = z.array(z.object({ id: z.string(), name: z.string() }));
const records = z.array(z.object({ type: z.string(), content: z.string().default('') }));

/**
 * Says who has a host now: another Worker, or records of its zone, which a deployment would replace without a question.
 * Returns `undefined` if the host is free or ours. Throws if no zone of the account has it.
 */
export async function findHostOwner(run: DeployRun): Promise<string | undefined> {
  const { deployment, state } = run;
  const { host, name } = deployment;
  const headers = await authorization(run);
  const account = state.state.account_id;
  const path = `/accounts/${account}/workers/domains?hostname=${host}`;
  const domain = hostDomains
    .parse(await callApi(run, headers, { path }))
    .find(({ hostname }) => hostname === host);
  if (domain) return domain.service === name ? undefined : `the Worker ${domain.service}`;
  const labels = host.split('.');
  for (let first = 0; first < labels.length - 1; first += 1) {
    const zoneName = labels.slice(first).join('.');
    const query = `/zones?name=${zoneName}&account.id=${account}`;
    const [zone] = zones.parse(await callApi(run, headers, { path: query }));
    if (!zone) continue;
    const found = records.parse(
      await callApi(run, headers, { path: `/zones/${zone.id}/dns_records?name=${host}` }),
    );
    if (found.length === 0) return undefined;
    return `${found.length === 1 ? 'a DNS record' : 'DNS records'} (${found
      .map(({ type, content }) => `${type} ${content}`.trim())
      .join(', ')})`;
  }
  throw new Error(`No zone of the account has ${host}. Add the zone, or correct host.`);
}

/** Turns on the read replicas of databases. They cost nothing more, and only reads that ask for a near copy use them. */
export async function replicateDatabases(run: DeployRun, bindings: readonly string[]) {
  if (bindings.length === 0) return;
  const { state } = run;
  const headers = await authorization(run);
  for (const binding of bindings) {
    const { account_id: account, databases } = state.state;
    await callApi(run, headers, {
      method: 'PATCH',
      path: `/accounts/${account}/d1/database/${databases[binding]?.id}`,
      body: { read_replication: { mode: 'auto' } },
    });
    state.update(({ databases }) => {
      const database = databases[binding];
      if (database) database.isReplicated = true;
    });
  }
}
