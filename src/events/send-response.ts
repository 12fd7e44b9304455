import { toBase64 } from '../crypto/base64.ts';

/** The beginning of a response's body as the delivery log shows it. */
export interface Snippet {
  text: string;
  /** `base64` where the bytes are not UTF-8. */
  encoding: 'utf-8' | 'base64';
  truncated: boolean;
}

const readLimit = 64 * 1024;
const snippetLimit = 2 * 1024;
const empty: Snippet = { text: '', encoding: 'utf-8', truncated: false };
const keptHeaders = ['content-type', 'retry-after', 'server', 'location'];

/**
 * Reads a body to its end, so that the connection can be used again, but cancels beyond 64 KB and when
 * `stop` settles first. Keeps the first 2 KB. Rejects when the connection breaks.
 */
export async function readSnippet(response: Response, stop: Promise<unknown>): Promise<Snippet> {
  // Most answers are empty, and a reader costs more than all else that is done with them.
  if (response.headers.get('content-length') === '0') return empty;
  const kept = new Uint8Array(snippetLimit);
  let total = 0;
  let cut = false;
  const reader = response.body?.getReader();
  while (reader) {
    const chunk = await Promise.race([reader.read(), stop.then(() => undefined)]);
    if (chunk?.value && total < snippetLimit) {
      kept.set(chunk.value.subarray(0, snippetLimit - total), total);
    }
    total += chunk?.value?.length ?? 0;
    if (chunk?.done) break;
    if (!chunk || total > readLimit) {
      cut = true;
      // Not awaited: a receiver that hangs may never confirm.
      reader.cancel().catch(() => undefined);
      break;
    }
  }
  const truncated = cut || total > snippetLimit;
  return { ...asText(kept.subarray(0, Math.min(total, snippetLimit))), truncated };
}

function asText(bytes: Uint8Array): Pick<Snippet, 'text' | 'encoding'> {
  try {
    // As a stream, so that a character cut off at the end is dropped instead of refused.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: true,
    });
    return { text, encoding: 'utf-8' };
  } catch {
    return { text: toBase64(bytes), encoding: 'base64' };
  }
}

/** The response headers worth keeping. What a `location` carries behind `?` is masked. */
export function headersToKeep(response: Response): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = response.headers.get(name);
    if (value !== null) kept[name] = value.replace(/\?.*$/s, '?…').slice(0, 300);
  }
  return kept;
}
