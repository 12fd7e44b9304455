import { ApiError } from './api-error.ts';
import type { ApiKey } from './public.ts';

/** The identity of the caller: the headers that prove it. */
export interface Credentials {
  /** The headers of the next request. */
  headers: () => Promise<Record<string, string>>;
  /** Called after a 401, with the headers that were refused: gets others, or throws the refusal. */
  renew: (refused: Readonly<Record<string, string>>, refusal: ApiError) => Promise<void>;
}

/** Credentials of a user. Throws for a value that cannot be sent, and names the header. */
export function apiKeyCredentials({ token, secret }: ApiKey): Credentials {
  const headers = {
    'User-Token': checkHeader('User-Token', token, 'apiKey.token'),
    'User-Secret-Key': checkHeader('User-Secret-Key', secret, 'apiKey.secret'),
  };
  return {
    headers: () => Promise.resolve(headers),
    renew: (_refused, refusal) => Promise.reject(namingHeaders(refusal)),
  };
}

/** Adds to a refusal the headers of the key. */
function namingHeaders(refusal: ApiError): ApiError {
  if (refusal.hint.includes('User-')) return refusal;
  const hint = `${refusal.hint} apiKey.token was sent as User-Token, apiKey.secret as User-Secret-Key.`;
  const { status, errors, headers, requestId, documentationUrl } = refusal;
  return new ApiError(refusal.code, {
    status,
    errors,
    headers,
    requestId,
    documentationUrl,
    hint,
  });
}

/** Returns a value of a header. Throws unless it can be sent; the error does not repeat it. */
export function checkHeader(header: string, value: unknown, name: string): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value;
  const problem =
    value === undefined || value === '' ? 'is missing' : 'must be a text without spaces';
  throw new TypeError(`${name} ${problem}. It is sent as ${header}.`);
}
