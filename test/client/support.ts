import type { ClientConfig } from '../../src/client/core/public.ts';
import { client } from '../../src/client/index.ts';

/** A request that the fake service got. */
interface SentRequest {
  method: string;
  path: string;
  headers: Headers;
  body: string;
}

/** Answer of the fake service: a response, or an error for a lost connection. */
export type Respond = (request: SentRequest, count: number) => Response | Error | Promise<Response>;

/** Creates a client of a fake service, and records what it sends. */
export function fakeClient(respond: Respond, config: Partial<ClientConfig> = {}) {
  const sent: SentRequest[] = [];
  const fakeFetch = async (url: RequestInfo | URL, init: RequestInit = {}) => {
    const { method = 'GET', headers, body, signal } = init;
    const text = body === undefined || body === null ? '' : await new Response(body).text();
    const request = {
      method,
      path: String(url).replace('https://api.test', ''),
      headers: new Headers(headers),
      body: text,
    };
    sent.push(request);
    const answer = await Promise.race([respond(request, sent.length), aborted(signal)]);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const shop = client({
    store: 'demo',
    baseUrl: 'https://api.test',
    apiKey: { token: 'token', secret: 'secret' },
    fetch: fakeFetch,
    ...config,
  } as ClientConfig);
  return { shop, sent };
}

/** Rejects when a signal is aborted. */
const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });

export const jsonResponse = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers });

/** A refusedResponse as the service sends it. */
export const refusedResponse = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
) =>
  jsonResponse(
    { message: 'Refused', status_code: status, code, hint: 'Do something.', request_id: 'r1' },
    status,
    headers,
  );
