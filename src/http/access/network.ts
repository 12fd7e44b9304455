import ipaddr from 'ipaddr.js';

/** The networks that a client is counted under. */
interface ClientNetworks {
  /** An IPv4 address or the /64 of an IPv6 address. A client usually controls all of it. */
  near: string;
  /** The /48 of an IPv6 address, since many connections come with one; absent for IPv4. */
  wide?: string;
}

/**
 * Returns the networks of a client address (`CF-Connecting-IP`). An IPv4 address inside IPv6 counts as IPv4. All missing
 * and malformed addresses share one network.
 */
export function networksOf(address: string | null | undefined): ClientNetworks {
  if (!address || !ipaddr.isValid(address)) return { near: 'unknown' };
  const parsed = ipaddr.process(address);
  if (!('parts' in parsed)) return { near: parsed.toString() };
  const prefix = (groups: number) =>
    `${parsed.parts
      .slice(0, groups)
      .map((part) => part.toString(16))
      .join(':')}::/${groups * 16}`;
  return { near: prefix(4), wide: prefix(3) };
}

/** Returns the part of an address that names no device: a /24 of IPv4, a /48 of IPv6; `null` if there is none. */
function anonymousNetwork(address: string | null): string | null {
  if (!address || !ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const [family, bits] = parsed.kind() === 'ipv6' ? [ipaddr.IPv6, 48] : [ipaddr.IPv4, 24];
  return `${family.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()}/${bits}`;
}

/**
 * Where a request came from, as the audit keeps it: `CF-IPCountry`, and the network without the part that names one
 * device.
 */
export const requestSource = ({ headers }: Request) => ({
  country: /^[A-Z]{2}$/.exec(headers.get('CF-IPCountry') ?? '')?.[0] ?? null,
  network: anonymousNetwork(headers.get('CF-Connecting-IP')),
});
