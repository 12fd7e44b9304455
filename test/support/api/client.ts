import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { createApp } from '../../../src/app/app.ts';
import { expectDocumented, type ApiResponse } from './conform.ts';
import { readBody } from './read-body.ts';

const app = createApp();

/** Calls any path of the service and asserts that the response is documented. */
export async function callApi(
  method: string,
  path: string,
  options: { headers?: Record<string, string>; body?: unknown; raw?: BodyInit } = {},
): Promise<ApiResponse> {
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
  const result = {
    status: response.status,
    headers: response.headers,
    body: await readBody(response),
  };
  expectDocumented(method, path, result);
  return result;
}

/**
 * Calls the app directly: `exports.default` would rebuild the request, and the constructor rejects
 * a GET with a body.
 */
async function getWithBody(url: string, headers: Headers, body: BodyInit): Promise<Response> {
  const context = createExecutionContext();
  const response = await app.fetch(requestWithBody(url, 'GET', headers, body), env, context);
  await waitOnExecutionContext(context);
  return response;
}

/** Returns `api('GET /catalog/brands?name=x')` for one store and one set of credentials. */
export const createApiClient =
  (alias: string, credentials: Record<string, string>) =>
  (request: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    return callApi(method, `/v2/${alias}${path}`, {
      headers: { ...credentials, ...headers },
      body,
    });
  };

/**
 * Builds a request with a body for any method. `Request` rejects a GET with a body, although other
 * clients can send one.
 */
export function requestWithBody(url: string, method: string, headers: HeadersInit, body: BodyInit) {
  if (method !== 'GET') return new Request(url, { method, headers, body });
  const request = new Request(url, { method: 'POST', headers, body });
  Object.defineProperty(request, 'method', { value: method });
  return request;
}
