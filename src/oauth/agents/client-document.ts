import * as z from 'zod';
import { hourMs, minuteMs } from '../../base/durations.ts';
import { hostOf } from '../../base/hosts.ts';
import { log } from '../../base/log.ts';
import type { Settings } from '../../base/settings.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { App } from '../../data/directory/apps.ts';
import { enforceNetworkLimit } from '../../http/access/rate-limit.ts';
import { validateUrl } from '../../webhooks/url-rules.ts';
import { readPublicFile } from '../read-public-file.ts';
import {
  clientMetadata,
  isAgentRedirectUri,
  namesOf,
  toAgent,
  type ServiceNames,
} from './agent.ts';

// A client id that is an address (Client ID Metadata Documents): the document there describes the
// client, and its host stands for it. There is no registration.

const maxIdLength = 512;
const maxDocumentBytes = 5_120;
const maxCacheMs = hourMs;

/**
 * How much longer pages use a document, or know that there is none: nobody makes this service read
 * one with every page.
 */
const pageGraceMs = minuteMs;

/** Who has a document read. */
interface DocumentContext {
  env: Env;
  settings: Pick<Settings, 'allowLocalReceivers' | 'ownHosts' | 'resolverUrl' | 'limits'> &
    ServiceNames;
  now: number;
  address?: string | undefined;
}

/** Whether a client id is the address of a document that may be read. Does no I/O. */
export function isDocumentId(
  clientId: string,
  settings: Pick<Settings, 'allowLocalReceivers' | 'ownHosts'>,
): boolean {
  if (clientId.length > maxIdLength || !/^https?:/.test(clientId)) return false;
  const url = URL.parse(clientId);
  // One spelling of each address, and no document that stands for a whole host.
  if (url?.href !== clientId || hostOf(url) !== url.hostname) return false;
  if (url.pathname === '/' || /[?#]/.test(clientId)) return false;
  const isLocal = settings.allowLocalReceivers && url.hostname === '127.0.0.1';
  return (url.protocol === 'https:' || isLocal) && validateUrl(clientId, settings) === undefined;
}

/** The members of a client's document. Others do not matter here. */
const ClientDocument = clientMetadata({
  client_id: z.string(),
  redirect_uris: z.array(z.string()).min(1).max(50),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

/**
 * Why a document is not used: it cannot be read, or its client authenticates itself with more than
 * its id.
 */
export interface RefusedDocument {
  rejected: 'document_invalid' | 'document_confidential';
  /** How such a client does so. */
  sent?: string;
}

/**
 * Documents in the memory of the isolate, and addresses without one. Each stays as long as its
 * headers allow.
 */
const documents = new TtlCache<App | RefusedDocument>(maxCacheMs, 1_000, pageGraceMs);

const invalid: RefusedDocument = { rejected: 'document_invalid' };

/**
 * Reads the document of a client id. Refused are an address that is not public, a redirect, another
 * status or type, and more than 5 KB or 5 seconds. So is a document of another client, or of one
 * that is not public. A page uses what was read a minute ago, a decision only what its headers let
 * it use. Each reading counts as a registration of the network; throws a 429.
 */
export async function readClientDocument(
  clientId: string,
  { env, settings, now, address }: DocumentContext,
  use: 'page' | 'decision',
): Promise<App | RefusedDocument> {
  if (!isDocumentId(clientId, settings)) return invalid;
  const cached = use === 'page' ? documents.getStale(clientId, now) : documents.get(clientId, now);
  if (cached) return cached.value;
  await enforceNetworkLimit({ env, limits: settings.limits, now }, 'registrations', address);
  const { agent, cachedMs } = await fetchDocument(clientId, settings);
  documents.set(clientId, agent, now - maxCacheMs + cachedMs);
  return agent;
}

/** Fetches a document, and how long its headers let it be used. */
async function fetchDocument(clientId: string, settings: DocumentContext['settings']) {
  try {
    const file = await readPublicFile(clientId, settings, {
      maxBytes: maxDocumentBytes,
      headers: { Accept: 'application/json' },
      isWanted: isJson,
    });
    const agent = file ? readAgent(clientId, file.text, settings) : invalid;
    return { agent, cachedMs: file && !('rejected' in agent) ? cacheTime(file.headers) : 0 };
  } catch (error) {
    log('warn', 'client_document_failed', { reason: error instanceof Error ? error.name : '' });
    return { agent: invalid, cachedMs: 0 };
  }
}

function isJson(headers: Headers): boolean {
  const type = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^application\/(?:[\w.+-]+\+)?json$/.test(type);
}

function readAgent(clientId: string, text: string, service: ServiceNames): App | RefusedDocument {
  const { data } = ClientDocument.safeParse(JSON.parse(text));
  if (data?.client_id !== clientId) return invalid;
  const {
    token_endpoint_auth_method: method,
    token_endpoint_auth_methods_supported: supported = method === undefined ? ['none'] : [],
  } = data;
  const methods = [method, ...supported].filter((one) => one !== undefined);
  const sent = 'client_secret' in data ? 'client_secret' : (methods[0] ?? '');
  const isPublic = methods.includes('none') && sent !== 'client_secret';
  if (!isPublic) return { rejected: 'document_confidential', sent };
  const redirectUris = data.redirect_uris.filter(isAgentRedirectUri);
  if (redirectUris.length === 0) return invalid;
  return toAgent({
    clientId,
    host: new URL(clientId).hostname,
    ...namesOf(data, service),
    redirectUris,
  });
}

/** How long the headers of a document let it be used, in milliseconds; at most an hour. */
function cacheTime(headers: Headers): number {
  const control = headers.get('Cache-Control')?.toLowerCase() ?? '';
  if (/\bno-(?:store|cache)\b/.test(control)) return 0;
  const seconds = Number(/\bmax-age=(\d{1,9})\b/.exec(control)?.[1] ?? 0);
  const age = Number(headers.get('Age') ?? 0) || 0;
  return Math.min(Math.max(seconds - age, 0) * 1000, maxCacheMs);
}
