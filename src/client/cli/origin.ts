import { UsageError } from './usage-error.ts';

/** Whether a host is this machine. */
const isLoopbackName = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

export const isLoopback = (origin: string) => isLoopbackName(new URL(origin).hostname);

/**
 * Returns the origin of a service. Throws a `UsageError` for what is no address, and for `http://` to another machine:
 * keys and tokens would travel in the clear.
 */
export function parseOrigin(sent: string): string {
  const parsed = URL.parse(sent);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError(`${sent} is not a URL. Write it like https://api.example.com.`);
  }
  if (parsed.protocol !== 'https:' && !isLoopbackName(parsed.hostname)) {
    throw new UsageError(
      `${parsed.origin} would get keys in the clear. It must begin with https://.`,
    );
  }
  return parsed.origin;
}
