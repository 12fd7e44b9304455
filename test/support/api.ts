import { exports } from 'cloudflare:workers';
import { conform } from './conform.ts';

/** An answer with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape; `conform` checks them
  body: any;
}

/** Calls any path of the service; the answer is checked against the documented statuses and schema. */
export async function call(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; raw?: BodyInit } = {},
): Promise<Answer> {
  const headers = new Headers(options.headers);
  const raw =
    options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  if (raw !== undefined && !headers.has('Content-Type')) {
    headers.set('Content-Type', 'application/json');
  }
  const response = await exports.default.fetch(`https://api.test${path}`, {
    method,
    headers,
    ...(raw !== undefined && { body: raw }),
  });
  const text = await response.text();
  const answer = {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
  conform(method, path, answer);
  return answer;
}

/** `api('GET /catalog/brands?name=x')` on one store with one set of credentials. */
export const apiOf =
  (alias: string, credentials: Record<string, string>) =>
  (request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    return call(method, `/v2/${alias}${path}`, { headers: { ...credentials, ...headers }, body });
  };
