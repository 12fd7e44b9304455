/** What pages say and browsers must be told of where an app is returned to. */
export interface ReturnAddress {
  host: string;
  /** A program on the merchant's own device listens there. */
  isThisDevice: boolean;
  /** As a source of the Content-Security-Policy. */
  source: string;
}

/** Reads a redirect URI that was registered (http or https). */
export function returnAddressOf(redirectUri: string): ReturnAddress {
  const { host, hostname, origin, protocol } = new URL(redirectUri);
  return {
    host,
    isThisDevice: ['127.0.0.1', '[::1]', 'localhost'].includes(hostname),
    // The grammar of the policy has no IPv6 address (CSP Level 3, section 2.3.1).
    source: hostname.startsWith('[') ? protocol : origin,
  };
}
