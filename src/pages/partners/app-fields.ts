import * as z from 'zod';
import { email } from '../../base/codecs/fields/string-formats.ts';
import type { Settings } from '../../base/settings.ts';
import { validateRedirectUri } from '../../oauth/redirect-uris.ts';
import { fieldIssue, formName, readText, sentText } from '../../web/forms/form-values.ts';
import { findChoiceFault, scopeChoiceFields } from '../../web/forms/scope-choice.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { validateUrl } from '../../webhooks/url-rules.ts';

const maxNameLength = 80;
const maxUris = 10;

/** The rules of addresses that merchants open. */
type AddressRules = Pick<Settings, 'allowLocalReceivers' | 'ownHosts'>;

/**
 * The address of a public page in its normal form, or an e-mail address where `also` allows one;
 * empty if it was left out.
 */
const optionalAddress = (rules: AddressRules, error: string, also?: 'email') =>
  readText((text) => {
    const sent = text.trim();
    if (sent === '') return '';
    const address = also && email.safeParse(sent).data;
    return address ?? (validateUrl(sent, rules) === undefined ? new URL(sent).href : { error });
  });

/** The fields of an app. Redirect URIs stand one in a line. */
export const appFields = (
  { partners: { form: t, uris }, apiKeys: { errors } }: Messages,
  page: { settings: AddressRules & Pick<Settings, 'brand' | 'serviceName'> },
) =>
  z
    .object({
      name: formName(maxNameLength, page, {
        missing: t.nameMissing,
        long: t.nameLong,
        reserved: t.nameReserved,
      }),
      publisher: formName(maxNameLength, page, {
        missing: t.publisherMissing,
        long: t.publisherLong,
        reserved: t.nameReserved,
      }),
      site_url: optionalAddress(page.settings, t.addressInvalid),
      support: optionalAddress(page.settings, t.supportInvalid, 'email'),
      privacy_url: optionalAddress(page.settings, t.addressInvalid),
      redirect_uris: sentText.check((payload) => {
        const { found, faults } = parseUris(payload.value, { ...t, uris });
        for (const fault of faults) payload.issues.push(fieldIssue(payload.value, fault));
        payload.value = found.join('\n');
      }),
      ...scopeChoiceFields,
      owner: sentText,
    })
    .check(({ value, issues }) => {
      const fault = findChoiceFault(value);
      if (fault) issues.push(fieldIssue('', errors[fault], 'powers'));
    });

/** Checks each line. Returns the URIs, and a sentence for each fault. */
function parseUris(
  text: string,
  t: Pick<Messages['partners']['form'], 'line' | 'urisMany' | 'urisMissing'> &
    Pick<Messages['partners'], 'uris'>,
): { found: string[]; faults: string[] } {
  const lines = text
    .split(/\r\n?|\n/)
    .map((rawLine, index) => ({ line: index + 1, trimmed: rawLine.trim() }))
    .filter(({ trimmed }) => trimmed !== '');
  if (lines.length > maxUris) return { found: [], faults: [t.urisMany] };
  if (lines.length === 0) return { found: [], faults: [t.urisMissing] };
  const found: string[] = [];
  const faults: string[] = [];
  for (const { line, trimmed } of lines) {
    const result = validateRedirectUri(trimmed);
    const isRepeated = 'uri' in result && found.includes(result.uri);
    if ('uri' in result && !isRepeated) {
      found.push(result.uri);
      continue;
    }
    const problem = 'problem' in result ? result.problem : 'repeated';
    const fault = t.line.replace('{line}', String(line)).replace('{problem}', t.uris[problem]);
    faults.push(fault);
  }
  return { found, faults };
}

export type AppFields = z.output<ReturnType<typeof appFields>>;
