import { anonymousNetwork } from './access/network.ts';

/**
 * Where a request came from, as the audit keeps it: `CF-IPCountry`, and the network without the part that names one
 * device.
 */
export const requestSource = ({ headers }: Request) => ({
  country: /^[A-Z]{2}$/.exec(headers.get('CF-IPCountry') ?? '')?.[0] ?? null,
  network: anonymousNetwork(headers.get('CF-Connecting-IP')),
});
