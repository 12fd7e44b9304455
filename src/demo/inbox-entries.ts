import type { Verdict } from './verdict.ts';

/** What the inbox keeps of one request: the shape of `/demo/inbox.json`, which is a list of them. */
export interface Entry {
  /** ISO 8601, UTC. */
  received_at: string;
  /** Of the signature. */
  verdict: Verdict;
  /** Name of the event, `null` when neither body nor headers tell. */
  event: string | null;
  /** Alias of the store, `null` when neither body nor headers tell. */
  store: string | null;
  /** 1 for the first try. */
  attempt: number | null;
  /** The status that the inbox answered. */
  answered: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The bytes as they came, read as UTF-8. */
  body: string;
}

const keptSeconds = 3 * 86_400;

/** What a page of KV keys and one bulk read hold. */
const shown = 100;

/** Keeps a request for three days. Keys sort the newest first. */
export async function keep(inbox: KVNamespace, entry: Entry): Promise<void> {
  const age = 9_999_999_999_999 - Date.parse(entry.received_at);
  await inbox.put(`inbox/${age}-${crypto.randomUUID()}`, JSON.stringify(entry), {
    expirationTtl: keptSeconds,
  });
}

/** The last hundred requests, newest first. */
export async function entries(inbox: KVNamespace): Promise<Entry[]> {
  const { keys } = await inbox.list({ prefix: 'inbox/', limit: shown });
  const names = keys.map(({ name }) => name);
  if (names.length === 0) return [];
  const kept = await inbox.get<Entry>(names, 'json');
  return names.flatMap((name) => kept.get(name) ?? []);
}

/** Forgets all. */
export async function empty(inbox: KVNamespace): Promise<void> {
  for (;;) {
    const { keys, list_complete: isComplete } = await inbox.list({ prefix: 'inbox/' });
    await Promise.all(keys.map(({ name }) => inbox.delete(name)));
    if (isComplete) return;
  }
}
