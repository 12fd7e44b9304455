import { domainToUnicode } from 'node:url';

/**
 * The host of an address, as it is stored and compared. It is how the parser reads it (WHATWG URL,
 * "host parsing"): in lower case and ASCII, without the last dot. `%62ad.example`, `BAD.example`
 * and `bad.example.` are one host.
 */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/\.+$/, '');

/** {@link hostOf} with the port, where the address has another than the usual one. */
export const hostWithPort = (url: URL): string => hostOf(url) + (url.port && `:${url.port}`);

/**
 * Reads the name of a host that a person typed; `undefined` for a text that is more than that, or
 * none.
 */
export function readHost(text: string): string | undefined {
  const url = /[\s/?#@:%\\]/.test(text) ? null : URL.parse(`https://${text}`);
  return url ? hostOf(url) : undefined;
}

/**
 * An address as people read it, with the letters of its host. Those that could pass for plain
 * letters stay in ASCII: all but the accented and usual ones of Latin.
 */
export function readableAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  if (!address.includes('xn--', at)) return address;
  const host = domainToUnicode(address.slice(at));
  return /^[a-z\d.\u00df-\u017e-]+$/.test(host) ? address.slice(0, at) + host : address;
}

/** Whether a host is one of these, or below one. */
export const isWithin = (host: string, names: readonly string[]): boolean =>
  names.some((name) => host === name || host.endsWith(`.${name}`));

/** A host with all names above it. */
export const withNamesAbove = (host: string): string[] =>
  host.split('.').map((_, index, labels) => labels.slice(index).join('.'));
