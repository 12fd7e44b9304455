import autocannon from 'autocannon';
import { oidcProvider } from './oauth-servers/oidc-provider.ts';
import { openauth } from './oauth-servers/openauth.ts';
import type { AuthorizationServer } from './oauth-servers/server.ts';
import { thisService } from './oauth-servers/this-service.ts';
import { workersOauthProvider } from './oauth-servers/workers-oauth-provider.ts';

const rounds = Number(process.env.RACE_ROUNDS ?? 20);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);

interface TokenResult {
  status: number;
  body: { access_token?: string; refresh_token?: string };
}

async function requestToken(
  { tokenUrl, client }: AuthorizationServer,
  form: Record<string, string>,
): Promise<TokenResult> {
  const body = new URLSearchParams({ ...client, ...form });
  const response = await fetch(tokenUrl, { method: 'POST', body });
  const text = await response.text();
  // Some servers return a page or an empty body on failure.
  return {
    status: response.status,
    body: response.ok ? (JSON.parse(text) as TokenResult['body']) : {},
  };
}

const redeem = async (server: AuthorizationServer, form: Record<string, string>) =>
  requestToken(server, { grant_type: 'authorization_code', ...form });

const refresh = (server: AuthorizationServer, refreshToken: string) =>
  requestToken(server, { grant_type: 'refresh_token', refresh_token: refreshToken });

const inParallel = <T>(count: number, work: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, work));

/** Formats the range of some counts. */
const formatRange = (counts: number[]) => {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${least}` : `${least} to ${most}`;
};

/** Returns how many of 50 parallel redemptions of a code got tokens. */
async function countRedemptions(server: AuthorizationServer): Promise<number> {
  const form = await server.approve();
  const responses = await inParallel(50, () => redeem(server, form));
  return responses.filter(({ status }) => status === 200).length;
}

/** Returns how many different refresh tokens 60 parallel uses of one produced. */
async function countSuccessors(server: AuthorizationServer): Promise<number> {
  const { body } = await redeem(server, await server.approve());
  const responses = await inParallel(60, () => refresh(server, body.refresh_token!));
  const tokens = responses.flatMap(({ body }) => body.refresh_token ?? []);
  return new Set(tokens).size;
}

/** Measures refreshes per second over ten chains of tokens, and counts the chains that broke. */
async function measureRefreshes(
  server: AuthorizationServer,
): Promise<{ rate: number; broken: number }> {
  let broken = 0;
  const chains = await inParallel(10, async () => redeem(server, await server.approve()));
  const end = Date.now() + seconds * 1_000;
  const counts = await Promise.all(
    chains.map(async ({ body }) => {
      let count = 0;
      for (let next = body; Date.now() < end; count += 1) {
        const { status, body } = await refresh(server, next.refresh_token!);
        if (status !== 200) {
          broken += 1;
          break;
        }
        next = body;
      }
      return count;
    }),
  );
  return { rate: counts.reduce((sum, count) => sum + count, 0) / seconds, broken };
}

/** Measures rejections of an invalid refresh token per second. */
async function measureRejections({ tokenUrl, client }: AuthorizationServer): Promise<number> {
  const form = { ...client, grant_type: 'refresh_token', refresh_token: 'junk' };
  const result = await autocannon({
    url: tokenUrl,
    method: 'POST',
    connections: 10,
    duration: seconds,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  return result['4xx'] / result.duration;
}

/**
 * Prints the results of parallel uses of a code and a refresh token, and the throughput, of four
 * servers.
 */
export async function compareRaces(): Promise<void> {
  console.log(`codes and refresh tokens, ${rounds} rounds each, one server after the other`);
  let ours: { refreshRate: number; rejectionRate: number } | undefined;
  for (const start of [thisService, workersOauthProvider, oidcProvider, openauth]) {
    const server = await start();
    const redemptions: number[] = [];
    const successors: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      redemptions.push(await countRedemptions(server));
      successors.push(await countSuccessors(server));
    }
    const { rate: refreshRate, broken } = await measureRefreshes(server);
    const rejectionRate = await measureRejections(server);
    ours ??= { refreshRate, rejectionRate };
    console.log(
      `${server.name.padEnd(36)} redeemed of 50 ${formatRange(redemptions).padEnd(9)} refresh tokens of 60 ${formatRange(successors).padEnd(9)}` +
        ` refreshes ${refreshRate.toFixed(0)}/s (ours ${(ours.refreshRate / refreshRate).toFixed(2)} times),` +
        ` ${broken} of 10 chains broken,` +
        ` rejections ${rejectionRate.toFixed(0)}/s (ours ${(ours.rejectionRate / rejectionRate).toFixed(2)} times)`,
    );
    await server.stop();
  }
}
