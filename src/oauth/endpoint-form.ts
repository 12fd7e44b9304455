import { parseSentQuery, type SentQuery } from '../base/codecs/sent-query.ts';
import { DatabaseUnavailable, HttpError } from '../base/errors.ts';
import { alertOperator } from '../http/error-response.ts';
import { readLimitedBody } from '../http/read-request.ts';
import { maxFormBytes, OAuthError, oauthErrorBody, oauthErrors } from './oauth-errors.ts';

/**
 * The parameters of a query or form. One with an empty value counts as absent (RFC 6749, section
 * 3.1).
 */
export class RequestParameters {
  readonly #pairs: SentQuery['pairs'];

  constructor(pairs: SentQuery['pairs']) {
    this.#pairs = pairs;
  }

  get(name: string): string | undefined {
    return this.#pairs.find(([sent]) => sent === name)?.[1] || undefined;
  }

  /** Returns the first of these names that occurs more than once. */
  findRepeated(names: readonly string[]): string | undefined {
    return names.find((name) => this.#pairs.filter(([sent]) => sent === name).length > 1);
  }
}

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
  const { pairs, malformed } = parseSentQuery(text);
  const undecoded = recognisedParameters.find((name) => malformed.includes(name));
  if (malformed.length > 0) {
    const subject = undecoded ?? 'A parameter';
    const description = `${subject} cannot be decoded: escape it as a form does.`;
    throw new OAuthError('form_malformed', { description });
  }
  const parameters = new RequestParameters(pairs);
  const repeated = parameters.findRepeated(recognisedParameters);
  if (repeated !== undefined) {
    throw new OAuthError('form_malformed', {
      hint: `Check the ${repeated} parameter`,
      description: `${repeated} is sent more than once.`,
    });
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

function orMalformedForm(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw new OAuthError('form_malformed');
  }
}

/** Headers of every response of the token and revocation endpoints (RFC 6749, section 5.1). */
const commonHeaders = {
  'Content-Type': 'application/json; charset=UTF-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
};

/** Creates a response of the token or revocation endpoint. */
export const oauthResponse = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...commonHeaders, ...headers } });

/**
 * Creates the response to a failed request. An unavailable database is a 503, never
 * `invalid_grant`, which clients treat as final. Rethrows other errors.
 */
export function oauthErrorResponse(failure: unknown, issuer: string): Response {
  const { reason, details, headers } = toOAuthError(failure);
  return oauthResponse(oauthErrorBody(reason, issuer, details), oauthErrors[reason][0], headers);
}

function toOAuthError(failure: unknown): OAuthError {
  if (failure instanceof OAuthError) return failure;
  if (!(failure instanceof HttpError)) throw failure;
  if (failure instanceof DatabaseUnavailable) alertOperator(failure, { operation: 'oauth' });
  const { status, headers } = failure;
  if (status === 503) return new OAuthError('database_unavailable', { headers });
  if (status === 429) return new OAuthError('rate_limited', { headers });
  if ([400, 413, 415].includes(status)) {
    const description =
      'The body is not of its Content-Encoding, or that is none of gzip, deflate.';
    return new OAuthError('form_malformed', { headers, description });
  }
  throw failure;
}
