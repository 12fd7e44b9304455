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

/** Turns on the read replicas of databases. They cost nothing more, and only reads that ask for a near copy use them. */
export async function replicateDatabases(run: DeployRun, bindings: readonly string[]) {
  if (bindings.length === 0) return;
  const { state, wrangler, print } = run;
  const headers = { ...(await authorization(run)), 'Content-Type': 'application/json' };
  const api = process.env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';
  for (const binding of bindings) {
    const { account_id: account, databases } = state.state;
    const url = `${api}/accounts/${account}/d1/database/${databases[binding]?.id}`;
    const call = `PATCH ${url} {"read_replication":{"mode":"auto"}}`;
    print(`  ${call}`);
    const response = await run.fetch(url, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ read_replication: { mode: 'auto' } }),
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) {
      const text = wrangler.redact(await response.text());
      throw new Error(`${call}\nStatus ${response.status}: ${text.slice(0, 1000)}`);
    }
    state.update(({ databases }) => {
      const database = databases[binding];
      if (database) database.isReplicated = true;
    });
  }
}
