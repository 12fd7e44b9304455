import ipaddr from 'ipaddr.js';

/**
 * Whether no public receiver has this address: it is in a special-use network (IANA registries of RFC 6890), or in
 * IPv6 space that is not assigned to the internet. Returns `true` for a text that is not an address.
 */
export function isSpecialUse(text: string): boolean {
  if (!ipaddr.isValid(text)) return true;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return true;
  return address.kind() === 'ipv6' && !address.match(ipaddr.parse('2000::'), 3);
}
