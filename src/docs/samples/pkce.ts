import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';

const clientId = process.env['CLIENT_ID'] ?? '';
const redirectUri = 'http://127.0.0.1:9999/callback';

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

// 1. A verifier that only you know, and its digest.
const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
const state = base64url(crypto.getRandomValues(new Uint8Array(16)));

// 2. The merchant opens this address, and returns to your redirect URI.
const query = new URLSearchParams({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  state,
  code_challenge: base64url(new Uint8Array(digest)),
  code_challenge_method: 'S256',
});
console.log(`{{origin}}/oauth/authorize?${query.toString()}`);
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const callback = new URL(
  await terminal.question('Paste the address that the merchant returned to: '),
);
terminal.close();
if (callback.searchParams.get('state') !== state) throw new Error('The state is not ours.');
const code = callback.searchParams.get('code');
if (code === null) {
  throw new Error(`The merchant did not consent: ${callback.searchParams.get('error')}`);
}

// 3. The code and the verifier get the tokens, within 60 seconds and once.
const response = await fetch('{{origin}}/oauth/token', {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  }),
});
const tokens = (await response.json()) as { merchant: string; error?: string; hint?: string };
if (!response.ok) throw new Error(`${tokens.error}: ${tokens.hint}`);
await writeFile('tokens.json', JSON.stringify(tokens), { mode: 0o600 });
console.log(`Connected to ${tokens.merchant}`);
