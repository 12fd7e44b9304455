import type { Settings } from '../settings.ts';

/** The name of this authorization server (RFC 8414, `iss` of RFC 9207): its address without a slash at the end. */
export function issuerOf({ authUrl }: Pick<Settings, 'authUrl'>, requestUrl: string): string {
  return (authUrl ?? new URL(requestUrl).origin).replace(/\/$/, '');
}
