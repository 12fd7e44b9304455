import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

/** Special-use networks (IANA registries of RFC 6890): no public receiver has an address there. */
const specialUse = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/8',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
];

/** Parsed lazily: most isolates never check an address. */
let parsed: [IPv4 | IPv6, number][] | undefined;

/** Whether an address is in a special-use network; `true` for a text that is not an address. */
export function isSpecialUse(text: string): boolean {
  let address: IPv4 | IPv6;
  try {
    address = ipaddr.parse(text);
  } catch {
    return true;
  }
  parsed ??= specialUse.map((network) => ipaddr.parseCIDR(network));
  return parsed.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
}
