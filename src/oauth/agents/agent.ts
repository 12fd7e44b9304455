import * as z from 'zod';
import { isNameOfService, withoutMarks } from '../../base/codecs/fields/claimed-names.ts';
import { cleanFormLine } from '../../base/codecs/fields/normalize-text.ts';
import { languageOf, type Language } from '../../base/languages.ts';
import type { Settings } from '../../base/settings.ts';
import type { App } from '../../data/directory/apps.ts';
import { allScopeBits } from '../../data/grants/scopes.ts';
import { deviceHost, hostsOf, isProgramUri, validateRedirectUri } from '../redirect-uris.ts';

const maxNameLength = 60;

/** The names of the service, which nobody else may have. */
export type ServiceNames = Pick<Settings, 'brand' | 'serviceName'>;

/**
 * The name that an agent claims, fit to be shown, without marks of the service; `undefined` if
 * nothing is left, or it is the service's.
 */
const cleanAgentName = (name: string, { brand, serviceName }: ServiceNames) => {
  const cleaned = cleanFormLine(name.slice(0, 4 * maxNameLength), 4 * maxNameLength) ?? '';
  const plain = withoutMarks(cleaned.toWellFormed());
  const short = Array.from(plain).slice(0, maxNameLength).join('').trim();
  return isNameOfService(short, [brand.name, serviceName]) ? undefined : short || undefined;
};

const isPresent = ([, value]: [string, unknown]) => value !== null;

/**
 * The schema of the metadata of a client (RFC 7591, section 2), with the members that matter.
 * Libraries write what they have not as null, so that is absent. Other members stay, and change
 * nothing.
 */
export const clientMetadata = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(
    (sent) =>
      typeof sent === 'object' && sent !== null && !Array.isArray(sent)
        ? Object.fromEntries(Object.entries(sent).filter(isPresent))
        : sent,
    z.looseObject({ client_name: z.string().optional(), ...shape }),
  );

/**
 * The names in metadata, which has no null: that without a language, and those in languages of this
 * service (section 2.2).
 */
export function namesOf(
  metadata: Readonly<Record<string, unknown>>,
  service: ServiceNames,
): Pick<App, 'names'> & { name: string | undefined } {
  const names: Partial<Record<Language, string>> = {};
  for (const [member, value] of Object.entries(metadata)) {
    const [, spelling = ''] = /^client_name#(.+)$/.exec(member) ?? [];
    const language = languageOf(spelling);
    const name = typeof value === 'string' ? cleanAgentName(value, service) : undefined;
    // Of several tags of a language, its own counts.
    const isOwn = language?.toLowerCase() === spelling.toLowerCase();
    if (language && name && (isOwn || names[language] === undefined)) names[language] = name;
  }
  const { client_name: sent } = metadata;
  const [first] = Object.values(names);
  const name = typeof sent === 'string' ? cleanAgentName(sent, service) : undefined;
  return { name: name ?? names.en ?? first, names: first === undefined ? null : names };
}

/**
 * Whether an agent may be sent back to an address in ASCII: as an app of a partner, or to a program
 * of the device.
 */
export const isAgentRedirectUri = (text: string) => {
  const checked = validateRedirectUri(text);
  return ('uri' in checked && checked.uri === text) || isProgramUri(text);
};

/**
 * The host that stands for an agent which registered itself: the first that is not the device of
 * the person.
 */
export const hostOfRedirects = (redirectUris: readonly string[]): string =>
  hostsOf(redirectUris).find((host) => host !== deviceHost) ?? deviceHost;

/** An agent as a client. It may ask for every scope, and the person decides. */
export const toAgent = ({
  clientId,
  host,
  name = host,
  names,
  redirectUris,
}: {
  clientId: string;
  host: string;
  name: string | undefined;
  names: App['names'];
  redirectUris: string[];
}): App => ({
  id: 0,
  client_id: clientId,
  owner_id: null,
  host,
  hosts: [...new Set([host, ...hostsOf(redirectUris)])],
  used_at: null,
  network: null,
  name,
  names,
  publisher: host,
  site_url: null,
  support: null,
  privacy_url: null,
  logo: null,
  verified_host: null,
  verified_name: null,
  verified_at: null,
  redirect_uris: redirectUris,
  scopes: allScopeBits,
  state: 'published',
  disabled_reason: null,
  withdrawn_at: null,
  created_at: 0,
  updated_at: 0,
});
