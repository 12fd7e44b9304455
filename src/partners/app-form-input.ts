import { scopes, scopesFromBits, scopesToBits, type Scope } from '../access/scopes.ts';
import { cleanFormLine } from '../codecs/fields/normalize-text.ts';
import type { App, AppValues } from '../db/directory/apps.ts';
import { validateRedirectUri } from '../oauth/apps/redirect-uris.ts';
import type { AppFormError } from '../pages/partners/app-form-page.tsx';

/** The fields of the app form as they were submitted, before validation. */
export interface AppFormInput {
  name: string;
  publisher: string;
  /** One URI per line. */
  redirectUris: string;
  scopes: readonly string[];
}

export const readAppForm = (form: URLSearchParams): AppFormInput => ({
  name: form.get('name') ?? '',
  publisher: form.get('publisher') ?? '',
  redirectUris: form.get('redirect_uris') ?? '',
  scopes: form.getAll('scopes'),
});

/** Fills the form from a stored app. */
export const toAppFormInput = (app: App): AppFormInput => {
  const granted = scopesFromBits(app.scopes);
  return {
    name: app.name,
    publisher: app.publisher,
    redirectUris: app.redirect_uris.join('\n'),
    scopes: scopes.filter((scope) => granted.has(scope)),
  };
};

const maxNameLength = 80;
const maxUris = 10;

/** Validates the form: returns the values to store, or every error. */
export function validateAppForm(
  input: AppFormInput,
): { values: AppValues } | { faults: AppFormError[] } {
  const name = cleanFormLine(input.name, maxNameLength);
  const publisher = cleanFormLine(input.publisher, maxNameLength);
  const uris = parseUris(input.redirectUris);
  const knownScopes = scopes.filter((scope) => input.scopes.includes(scope));
  const faults: AppFormError[] = [
    ...validateLine('name', name),
    ...validateLine('publisher', publisher),
    ...uris.faults,
    ...validateScopes(input.scopes, knownScopes),
  ];
  if (faults.length > 0 || name === undefined || publisher === undefined) return { faults };
  const bits = scopesToBits(new Set(knownScopes));
  return { values: { name, publisher, redirect_uris: uris.uris, scopes: bits } };
}

function validateLine(field: 'name' | 'publisher', text: string | undefined): AppFormError[] {
  if (text === '') return [{ field, kind: `${field}Missing` }];
  return text === undefined ? [{ field, kind: `${field}Long` }] : [];
}

function parseUris(text: string): { uris: string[]; faults: AppFormError[] } {
  const field = 'redirect_uris';
  const lines = text
    .split(/\r\n?|\n/)
    .map((rawLine, index) => ({ line: index + 1, trimmed: rawLine.trim() }))
    .filter(({ trimmed }) => trimmed !== '');
  const uris: string[] = [];
  if (lines.length > maxUris) return { uris, faults: [{ field, kind: 'urisMany' }] };
  const faults: AppFormError[] = [];
  for (const { line, trimmed } of lines) {
    const result = validateRedirectUri(trimmed);
    if ('problem' in result) faults.push({ field, kind: 'uri', line, problem: result.problem });
    else if (uris.includes(result.uri))
      faults.push({ field, kind: 'uri', line, problem: 'repeated' });
    else uris.push(result.uri);
  }
  if (lines.length === 0) faults.push({ field, kind: 'urisMissing' });
  return { uris, faults };
}

function validateScopes(submitted: readonly string[], known: readonly Scope[]): AppFormError[] {
  const field = 'scopes';
  if (submitted.length === 0) return [{ field, kind: 'scopesMissing' }];
  const areKnown = submitted.every((name) => (known as readonly string[]).includes(name));
  return areKnown ? [] : [{ field, kind: 'scopesUnknown' }];
}
