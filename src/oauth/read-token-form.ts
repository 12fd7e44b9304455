import { readLimitedBody } from '../http/read-request.ts';
import { OAuthError } from './oauth-errors.ts';

/** The parameters of a query or form. One with an empty value counts as absent (RFC 6749, section 3.1). */
export class RequestParameters {
  readonly #values: URLSearchParams;

  constructor(values: URLSearchParams) {
    this.#values = values;
  }

  get(name: string): string | undefined {
    return this.#values.get(name) || undefined;
  }

  /** Returns the first of these names that occurs more than once. */
  findRepeated(names: readonly string[]): string | undefined {
    return names.find((name) => this.#values.getAll(name).length > 1);
  }
}

const maxFormBytes = 16_384;

const formMediaType = 'application/x-www-form-urlencoded';

/** The parameters that the token and revocation endpoints accept. None of them may be repeated. */
const recognisedParameters = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
  'scope',
  'token',
  'token_type_hint',
] as const;

export type TokenParameter = (typeof recognisedParameters)[number];

/** Reads a form of at most 16 KiB; throws an `OAuthError`. Never reads the query of the URL. */
export async function readTokenForm(request: Request): Promise<RequestParameters> {
  const mediaType = request.headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  const text = await readBodyText(request);
  if (mediaType !== formMediaType) throw new OAuthError('form_malformed');
  const parameters = new RequestParameters(new URLSearchParams(parsePairs(text)));
  const repeated = parameters.findRepeated(recognisedParameters);
  if (repeated !== undefined) {
    throw new OAuthError('form_malformed', { hint: `Check the ${repeated} parameter` });
  }
  return parameters;
}

async function readBodyText(request: Request): Promise<string> {
  const bytes = await readLimitedBody(request, maxFormBytes);
  if (!bytes) throw new OAuthError('body_too_large');
  return orMalformedForm(() =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes),
  );
}

// URLSearchParams would repair malformed escapes; this parser rejects them.
const parsePairs = (text: string): [name: string, value: string][] =>
  text
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const separator = pair.includes('=') ? pair.indexOf('=') : pair.length;
      return [unescapePart(pair.slice(0, separator)), unescapePart(pair.slice(separator + 1))];
    });

const unescapePart = (text: string) =>
  orMalformedForm(() => {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    if (plain.includes('\0')) throw new Error('a NUL');
    return plain;
  });

function orMalformedForm(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new OAuthError('form_malformed');
  }
}
