import * as z from 'zod';
import { hourMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import type { Settings } from '../../base/settings.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { App } from '../../data/directory/apps.ts';
import { validateUrl } from '../../webhooks/url-rules.ts';
import { readPublicFile } from '../read-public-file.ts';
import { cleanAgentName, isAgentRedirectUri, toAgent } from './agent.ts';

// A client id that is an address (Client ID Metadata Documents): the document there describes the client, and its host
// stands for it. There is no registration.

const maxIdLength = 512;
const maxDocumentBytes = 5_120;
const maxCacheMs = hourMs;

type DocumentSettings = Pick<Settings, 'allowLocalReceivers' | 'ownHosts' | 'resolverUrl'>;

/** Whether a client id is the address of a document that may be read. Does no I/O. */
export function isDocumentId(
  clientId: string,
  settings: Pick<Settings, 'allowLocalReceivers' | 'ownHosts'>,
): boolean {
  if (clientId.length > maxIdLength || !/^https?:/.test(clientId)) return false;
  const url = URL.parse(clientId);
  // One spelling of each address, and no document that stands for a whole host.
  if (url?.href !== clientId || url.pathname === '/' || /[?#]/.test(clientId)) return false;
  const isLocal = settings.allowLocalReceivers && url.hostname === '127.0.0.1';
  return (url.protocol === 'https:' || isLocal) && validateUrl(clientId, settings) === undefined;
}

/** The members of a client's document. Others do not matter here. */
const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  token_endpoint_auth_method: z.literal('none').default('none'),
  client_secret: z.never().optional(),
});

/** Documents in the memory of the isolate. Each stays as long as its headers allow. */
const documents = new TtlCache<App>(maxCacheMs, 1_000);

/**
 * Reads the document of a client id. `undefined` if it cannot be used. That is an address that is not public, a redirect, another
 * status or type, more than 5 KB, more than 5 seconds, or a document of another client.
 */
export async function readClientDocument(
  clientId: string,
  settings: DocumentSettings,
  now: number,
): Promise<App | undefined> {
  if (!isDocumentId(clientId, settings)) return undefined;
  const cached = documents.get(clientId, now);
  if (cached) return cached.value;
  try {
    const file = await readPublicFile(clientId, settings, {
      maxBytes: maxDocumentBytes,
      headers: { Accept: 'application/json' },
      isWanted: isJson,
    });
    const agent = file && readAgent(clientId, file.text);
    const cachedMs = agent ? cacheTime(file.headers) : 0;
    if (agent && cachedMs > 0) documents.set(clientId, agent, now - maxCacheMs + cachedMs);
    return agent;
  } catch (error) {
    log('warn', 'client_document_failed', { reason: error instanceof Error ? error.name : '' });
    return undefined;
  }
}

function isJson(headers: Headers): boolean {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^application\/(?:[\w.+-]+\+)?json$/.test(type);
}

function readAgent(clientId: string, text: string): App | undefined {
  const { data } = ClientDocument.safeParse(JSON.parse(text));
  if (data?.client_id !== clientId) return undefined;
  const { hostname } = new URL(clientId);
  const redirectUris = data.redirect_uris.filter(isAgentRedirectUri);
  if (redirectUris.length === 0) return undefined;
  const name = cleanAgentName(data.client_name) ?? hostname;
  return toAgent({ clientId, host: hostname, name, redirectUris });
}

/** How long the headers of a document let it be used, in milliseconds; at most an hour. */
function cacheTime(headers: Headers): number {
  const control = headers.get('Cache-Control')?.toLowerCase() ?? '';
  if (/\bno-(?:store|cache)\b/.test(control)) return 0;
  const seconds = Number(/\bmax-age=(\d{1,9})\b/.exec(control)?.[1] ?? 0);
  const age = Number(headers.get('Age') ?? 0) || 0;
  return Math.min(Math.max(seconds - age, 0) * 1000, maxCacheMs);
}
