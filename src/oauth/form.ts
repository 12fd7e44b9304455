import { readAtMost } from '../http/read-at-most.ts';
import { Parameters } from './parameters.ts';
import { TokenRefusal } from './token-refusal.ts';

/** How long a body of the token endpoint may be, in bytes. */
export const maxFormBytes = 16_384;

const mediaType = 'application/x-www-form-urlencoded';

/** What is known at the token and revocation endpoints; none of it may come twice. */
const recognised = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
];

/** Reads a form of at most 16 KiB (T2 to T4); throws a `TokenRefusal`. The query of the URL is never read. */
export async function readForm(request: Request): Promise<Parameters> {
  const sentType = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  const text = await textOf(request);
  if (sentType !== mediaType) throw new TokenRefusal('body is not a form');
  const parameters = new Parameters(new URLSearchParams(pairsOf(text)));
  const name = parameters.repeated(recognised);
  if (name !== undefined) {
    throw new TokenRefusal('body is not a form', { hint: `Check the ${name} parameter` });
  }
  return parameters;
}

async function textOf(request: Request): Promise<string> {
  const bytes = await readAtMost(request, maxFormBytes);
  if (!bytes) throw new TokenRefusal('body is too long');
  return decoded(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
}

// URLSearchParams repairs what is malformed; here it is refused.
const pairsOf = (text: string): [string, string][] =>
  text
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const at = pair.includes('=') ? pair.indexOf('=') : pair.length;
      return [unescaped(pair.slice(0, at)), unescaped(pair.slice(at + 1))];
    });

const unescaped = (text: string) =>
  decoded(() => {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    if (plain.includes('\0')) throw new Error('a NUL');
    return plain;
  });

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new TokenRefusal('body is not a form');
  }
}
