import { Problem } from '../problem.ts';
import { descriptions, tokenRefusals } from './refusals.ts';
import { TokenRefusal } from './token-refusal.ts';

/** Headers of every answer of the token and revocation endpoints (RFC 6749, section 5.1). */
const fixed = {
  'Content-Type': 'application/json; charset=UTF-8',
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
};

/** An answer of the token endpoint. */
export const answer = (body: object, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { ...fixed, ...headers } });

/**
 * The answer to a request that gets no token: `error`, a fixed `error_description` and, where the
 * specification has one, `hint`. A database that is away is a 503, never an `invalid_grant`, which clients
 * take for final.
 */
export function refuseToken(failure: unknown): Response {
  const refusal = refusalOf(failure);
  const [status, error, hint] = tokenRefusals[refusal.reason];
  return answer(
    { error, error_description: descriptions[error], hint: refusal.hint ?? hint },
    status,
    refusal.headers,
  );
}

function refusalOf(failure: unknown): TokenRefusal {
  if (failure instanceof TokenRefusal) return failure;
  if (!(failure instanceof Problem)) throw failure;
  const { status, headers } = failure;
  if (status === 503) return new TokenRefusal('database is away', { headers });
  if (status === 429) return new TokenRefusal('too many requests', { headers });
  throw failure;
}
