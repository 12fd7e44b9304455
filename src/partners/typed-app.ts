import type { App } from '../db/apps.ts';
import { scopes, scopesOf } from '../access/scopes.ts';

/** A form about an app as it was typed, right or wrong. */
export interface TypedApp {
  name: string;
  publisher: string;
  /** One a line. */
  redirectUris: string;
  scopes: readonly string[];
}

/** What a form holds, for the page that shows it again. */
export const typedIn = (form: URLSearchParams): TypedApp => ({
  name: form.get('name') ?? '',
  publisher: form.get('publisher') ?? '',
  redirectUris: form.get('redirect_uris') ?? '',
  scopes: form.getAll('scopes'),
});

/** What is stored, as its partner would have typed it. */
export const typedOf = (app: App): TypedApp => {
  const granted = scopesOf(app.scopes);
  return {
    name: app.name,
    publisher: app.publisher,
    redirectUris: app.redirect_uris.join('\n'),
    scopes: scopes.filter((scope) => granted.has(scope)),
  };
};
