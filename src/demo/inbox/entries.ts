import { daySeconds } from '../../base/durations.ts';
import type { SignatureVerdict } from './signature-check.ts';

/** A received request; `/demo/inbox.json` is an array of these. */
export interface InboxEntry {
  /** ISO 8601, UTC. */
  received_at: string;
  /** Result of the signature check. */
  verdict: SignatureVerdict;
  /** Name of the event; `null` when neither the body nor the headers contain it. */
  event: string | null;
  /** Alias of the store; `null` when neither the body nor the headers contain it. */
  store: string | null;
  /** 1 for the first attempt. */
  attempt: number | null;
  /** The status that the inbox returned. */
  answered: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The raw body, decoded as UTF-8. */
  body: string;
}

const entryTtlSeconds = 3 * daySeconds;

/** The maximum of a bulk read from KV. */
const maxEntries = 100;

/** Stores a request for three days. Its key sorts before those of older requests. */
export async function saveInboxEntry(inbox: KVNamespace, entry: InboxEntry): Promise<void> {
  const descendingTime = 9_999_999_999_999 - Date.parse(entry.received_at);
  await inbox.put(`inbox/${descendingTime}-${crypto.randomUUID()}`, JSON.stringify(entry), {
    expirationTtl: entryTtlSeconds,
  });
}

/** Returns the last hundred requests, newest first. */
export async function listInboxEntries(inbox: KVNamespace): Promise<InboxEntry[]> {
  const { keys } = await inbox.list({ prefix: 'inbox/', limit: maxEntries });
  const names = keys.map(({ name }) => name);
  if (names.length === 0) return [];
  const stored = await inbox.get<InboxEntry>(names, 'json');
  return names.flatMap((name) => stored.get(name) ?? []);
}

/** Deletes all requests. */
export async function clearInbox(inbox: KVNamespace): Promise<void> {
  for (;;) {
    const { keys, list_complete: isComplete } = await inbox.list({ prefix: 'inbox/' });
    await Promise.all(keys.map(({ name }) => inbox.delete(name)));
    if (isComplete) return;
  }
}
