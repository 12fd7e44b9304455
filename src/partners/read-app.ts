import { bitsOf, scopes, type Scope } from '../access/scopes.ts';
import type { AppValues } from '../db/partner-apps.ts';
import { registeredUri } from '../oauth/registered-uri.ts';
import type { AppFault } from '../pages/app-form-faults.ts';
import { cleanLine, codePoints } from '../wire/clean.ts';
import type { TypedApp } from './typed-app.ts';

const longestName = 80;
const mostUris = 10;

/** Checks what a partner typed: what to store, or all that is wrong with it. */
export function readApp(typed: TypedApp): { values: AppValues } | { faults: AppFault[] } {
  const name = cleanLine(typed.name);
  const publisher = cleanLine(typed.publisher);
  const uris = readUris(typed.redirectUris);
  const chosen = scopes.filter((scope) => typed.scopes.includes(scope));
  const faults: AppFault[] = [
    ...lineFaults('name', name),
    ...lineFaults('publisher', publisher),
    ...uris.faults,
    ...scopeFaults(typed.scopes, chosen),
  ];
  if (faults.length > 0) return { faults };
  const bits = bitsOf(new Set(chosen));
  return { values: { name, publisher, redirect_uris: uris.uris, scopes: bits } };
}

function lineFaults(field: 'name' | 'publisher', text: string): AppFault[] {
  if (text === '') return [{ field, kind: `${field}Missing` }];
  return codePoints(text) > longestName ? [{ field, kind: `${field}Long` }] : [];
}

function readUris(text: string): { uris: string[]; faults: AppFault[] } {
  const field = 'redirect_uris';
  const uris: string[] = [];
  const faults: AppFault[] = [];
  for (const [index, sent] of text.split(/\r\n?|\n/).entries()) {
    const typed = sent.trim();
    if (typed === '') continue;
    const made = registeredUri(typed);
    const line = index + 1;
    if ('problem' in made) faults.push({ field, kind: 'uri', line, problem: made.problem });
    else if (uris.includes(made.uri))
      faults.push({ field, kind: 'uri', line, problem: 'repeated' });
    else uris.push(made.uri);
  }
  if (uris.length + faults.length > mostUris)
    return { uris, faults: [{ field, kind: 'urisMany' }] };
  if (uris.length + faults.length === 0) faults.push({ field, kind: 'urisMissing' });
  return { uris, faults };
}

function scopeFaults(sent: readonly string[], chosen: readonly Scope[]): AppFault[] {
  const field = 'scopes';
  if (sent.length === 0) return [{ field, kind: 'scopesMissing' }];
  const areKnown = sent.every((name) => (chosen as readonly string[]).includes(name));
  return areKnown ? [] : [{ field, kind: 'scopesUnknown' }];
}
