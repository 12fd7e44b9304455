import type { Settings } from '../base/settings.ts';
import { readLimitedBody } from '../http/read-request.ts';
import { checkUrl, defaultResolverDeps } from '../webhooks/check-url.ts';

const timeoutMs = 5_000;

/**
 * Reads a file at an address that a client or a partner named, with its headers. `undefined` for an
 * address that is not public, a redirect or another status, headers that are not `isWanted`, and
 * more than `maxBytes`. Rejects after 5 seconds.
 */
export async function readPublicFile(
  url: string,
  settings: Pick<Settings, 'allowLocalReceivers' | 'ownHosts' | 'resolverUrl'>,
  {
    maxBytes,
    headers = {},
    isWanted = () => true,
  }: {
    maxBytes: number;
    headers?: Record<string, string>;
    isWanted?: (headers: Headers) => boolean;
  },
): Promise<{ text: string; headers: Headers } | undefined> {
  if ((await checkUrl(url, settings, defaultResolverDeps)) !== undefined) return undefined;
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { headers, redirect: 'manual', signal });
  if (response.status !== 200 || !isWanted(response.headers)) {
    await response.body?.cancel();
    return undefined;
  }
  const bytes = await readLimitedBody(response, maxBytes);
  return bytes && { text: new TextDecoder().decode(bytes), headers: response.headers };
}
