import { isLoopback, parseOrigin } from '../cli/connection.ts';
import { UsageError } from '../cli/usage-error.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The API key of the operator in the demo of `npm start`. */
export const demoOperatorKey = {
  token: 'olga-user-token',
  secret: 'sk_olga_secret_key',
} as const;

/** A service, and the API key that it is called with. */
export interface Service {
  origin: string;
  token: string;
  secret: string;
}

/** A refusal of the service. */
export class RefusedCall extends Error {
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const { message = `Status ${status}`, hint = '', errors = {} } = body;
    const fields = Object.entries(errors as Record<string, string[]>).flatMap(([field, messages]) =>
      messages.map((text) => `  ${field}: ${text}`),
    );
    super([`${String(message)} ${String(hint)}`.trim(), ...fields].join('\n'));
    this.body = { status, ...body };
  }
}

/**
 * Finds the service and the key. Throws a `UsageError` where a key is missing or would be sent in
 * the clear.
 */
export function findService(environment: Environment, url: string | undefined): Service {
  const wanted = url ?? environment['OPERATOR_URL'] ?? 'http://127.0.0.1:8787';
  const origin = parseOrigin(wanted);
  const { OPERATOR_TOKEN: token, OPERATOR_SECRET: secret } = environment;
  if (token && secret) return { origin, token, secret };
  if (!isLoopback(origin)) throw new UsageError('Set OPERATOR_TOKEN and OPERATOR_SECRET.');
  return { origin, ...demoOperatorKey };
}

/**
 * Calls an operation and returns its body: JSON, or the stream of a file. Throws a
 * {@link RefusedCall}.
 */
export async function callService(
  { origin, token, secret }: Service,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const response = await fetch(origin + path, {
    method,
    headers: {
      'User-Token': token,
      'User-Secret-Key': secret,
      // A mistyped field is an error, not a warning.
      Prefer: 'handling=strict',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(60_000),
  });
  if (response.ok && !response.headers.get('Content-Type')?.includes('json')) return response.body;
  const text = await response.text();
  const parsed = parseJson(text);
  if (!response.ok)
    throw new RefusedCall(response.status, (parsed ?? {}) as Record<string, unknown>);
  return parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
