import autocannon from 'autocannon';
import { oidcProvider } from './rivals/oidc-provider.ts';
import { openauth } from './rivals/openauth.ts';
import { ours } from './rivals/ours.ts';
import type { Rival } from './rivals/rival.ts';
import { workersOauthProvider } from './rivals/workers-oauth-provider.ts';

const rounds = Number(process.env.RACE_ROUNDS ?? 20);
const seconds = Number(process.env.BENCH_SECONDS ?? 4);

interface Answer {
  status: number;
  body: { access_token?: string; refresh_token?: string };
}

async function token({ tokenUrl, client }: Rival, form: Record<string, string>): Promise<Answer> {
  const body = new URLSearchParams({ ...client, ...form });
  const response = await fetch(tokenUrl, { method: 'POST', body });
  const text = await response.text();
  // Of a failure some answer with a page or with nothing.
  return { status: response.status, body: response.ok ? (JSON.parse(text) as Answer['body']) : {} };
}

const redeem = async (rival: Rival, form: Record<string, string>) =>
  token(rival, { grant_type: 'authorization_code', ...form });

const refresh = (rival: Rival, token_: string) =>
  token(rival, { grant_type: 'refresh_token', refresh_token: token_ });

const all = <T>(count: number, work: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, work));

/** The fewest and the most of some counts. */
const span = (counts: number[]) => {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return least === most ? `${least}` : `${least} to ${most}`;
};

/** How many of 50 parallel redemptions of a code were answered with tokens. */
async function winners(rival: Rival): Promise<number> {
  const form = await rival.approve();
  const answers = await all(50, () => redeem(rival, form));
  return answers.filter(({ status }) => status === 200).length;
}

/** How many refresh tokens 60 parallel uses of one bring about. */
async function successors(rival: Rival): Promise<number> {
  const { body } = await redeem(rival, await rival.approve());
  const answers = await all(60, () => refresh(rival, body.refresh_token!));
  const tokens = answers.flatMap(({ body }) => body.refresh_token ?? []);
  return new Set(tokens).size;
}

/** Refreshes a second, each of ten connections along a chain of its own, and how many chains broke on the way. */
async function refreshes(rival: Rival): Promise<{ rate: number; broken: number }> {
  let broken = 0;
  const chains = await all(10, async () => redeem(rival, await rival.approve()));
  const end = Date.now() + seconds * 1_000;
  const counts = await Promise.all(
    chains.map(async ({ body }) => {
      let count = 0;
      for (let next = body; Date.now() < end; count += 1) {
        const { status, body } = await refresh(rival, next.refresh_token!);
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

/** Refusals of a token that never was, a second. */
async function junk({ tokenUrl, client }: Rival): Promise<number> {
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

/** Prints what parallel uses of one code and one refresh token give, and what a second holds, for four servers. */
export async function compareRaces(): Promise<void> {
  console.log(`codes and refresh tokens, ${rounds} rounds each, one server after the other`);
  let own: { refreshed: number; refused: number } | undefined;
  for (const start of [ours, workersOauthProvider, oidcProvider, openauth]) {
    const rival = await start();
    const won: number[] = [];
    const followed: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      won.push(await winners(rival));
      followed.push(await successors(rival));
    }
    const { rate: refreshed, broken } = await refreshes(rival);
    const refused = await junk(rival);
    own ??= { refreshed, refused };
    console.log(
      `${rival.name.padEnd(36)} winners of 50 ${span(won).padEnd(9)} refresh tokens of 60 ${span(followed).padEnd(9)}` +
        ` refreshes ${refreshed.toFixed(0)}/s (ours ${(own.refreshed / refreshed).toFixed(2)} times),` +
        ` ${broken} of 10 chains broken,` +
        ` junk ${refused.toFixed(0)}/s (ours ${(own.refused / refused).toFixed(2)} times)`,
    );
    await rival.stop();
  }
}
