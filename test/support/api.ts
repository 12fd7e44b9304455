import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { app } from '../../src/app.ts';
import { conform } from './conform.ts';
import { requestWithBody } from './request-with-body.ts';

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
  const url = `https://api.test${path}`;
  const response =
    method === 'GET' && raw !== undefined
      ? await getWithBody(url, headers, raw)
      : await exports.default.fetch(url, {
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

/** `exports.default` would make the request anew, which none with GET survives. */
async function getWithBody(url: string, headers: Headers, body: BodyInit): Promise<Response> {
  const context = createExecutionContext();
  const response = await app.fetch(requestWithBody(url, 'GET', headers, body), env, context);
  await waitOnExecutionContext(context);
  return response;
}

/** `api('GET /catalog/brands?name=x')` on one store with one set of credentials. */
export const apiOf =
  (alias: string, credentials: Record<string, string>) =>
  (request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(' ');
    return call(method, `/v2/${alias}${path}`, { headers: { ...credentials, ...headers }, body });
  };
