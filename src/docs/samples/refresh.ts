import { readFile, rename, writeFile } from 'node:fs/promises';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks once. Throws when the answer is lost. */
async function ask(refreshToken: string) {
  const response = await fetch('{{origin}}/oauth/token', {
    method: 'POST',
    signal: AbortSignal.timeout(10_000),
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: process.env['CLIENT_ID'] ?? '',
      refresh_token: refreshToken,
    }),
  });
  const { status, headers } = response;
  const answer = (await response.json()) as Tokens & { error?: string };
  return { status, answer, retryAfter: Number(headers.get('Retry-After') ?? 1) };
}

/** Exchanges a refresh token. Only one process at a time may do this for one store. */
async function refresh(refreshToken: string): Promise<Tokens> {
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    // undefined: the answer is lost. The same token again is safe for two minutes.
    const result = await ask(refreshToken).catch(() => undefined);
    if (result?.status === 200) return result.answer;
    if (result !== undefined && result.status < 429) {
      // The connection has ended: only the merchant can start a new one.
      throw new Error(`Ask for consent again: ${result.answer.error}`);
    }
    await sleep(1000 * (result?.retryAfter ?? attempt));
  }
  throw new Error('No answer. Try again with the same refresh token.');
}

const old = JSON.parse(await readFile('tokens.json', 'utf8')) as Tokens;
const tokens = await refresh(old.refresh_token);
// Store the new tokens before you use them. Both old ones are replaced.
await writeFile('tokens.new', JSON.stringify(tokens), { mode: 0o600 });
await rename('tokens.new', 'tokens.json');
console.log('Refreshed');
