import { cleanFormLine } from '../../base/codecs/fields/normalize-text.ts';
import type { App } from '../../data/directory/apps.ts';
import { allScopeBits } from '../../data/grants/scopes.ts';
import { deviceHost, isProgramUri, isThisDevice, validateRedirectUri } from '../redirect-uris.ts';

const maxNameLength = 60;

/** The name that an agent claims, fit to be shown; `undefined` if there is none. */
export const cleanAgentName = (name: string | undefined) =>
  cleanFormLine(name?.slice(0, 4 * maxNameLength) ?? '', 4 * maxNameLength)
    ?.slice(0, maxNameLength)
    .trim() || undefined;

/** Whether an agent may be sent back to an address: as an app of a partner, or to a program of the device. */
export const isAgentRedirectUri = (uri: string) =>
  'uri' in validateRedirectUri(uri) || isProgramUri(uri);

/** The host that stands for an agent which registered itself: the first that is not the device of the person. */
export const hostOfRedirects = (redirectUris: readonly string[]): string => {
  const found = redirectUris.find((uri) => !isThisDevice(uri));
  return found === undefined ? deviceHost : new URL(found).hostname;
};

/** An agent as a client. It may ask for every scope, and the person decides. */
export const toAgent = ({
  clientId,
  host,
  name,
  redirectUris,
}: {
  clientId: string;
  host: string;
  name: string;
  redirectUris: string[];
}): App => ({
  id: 0,
  client_id: clientId,
  owner_id: null,
  host,
  used_at: null,
  name,
  publisher: host,
  site_url: null,
  support: null,
  privacy_url: null,
  logo: null,
  verified_host: null,
  verified_at: null,
  redirect_uris: redirectUris,
  scopes: allScopeBits,
  near_reads: false,
  state: 'published',
  disabled_reason: null,
  withdrawn_at: null,
  created_at: 0,
  updated_at: 0,
});
