import type { Context } from 'hono';
import type { ManagedStore, SignedIn } from '../db/sessions.ts';
import type { Faces } from '../http/faces.ts';
import { NoticePage } from '../pages/notice-page.tsx';
import { StorePage } from '../pages/store-page.tsx';
import { wordsOf } from '../pages/words/words-of.ts';
import { otherAccount } from '../session/other-account.ts';
import { frameOf, showPage } from '../session/show-page.ts';
import type { Visitor } from '../session/visitor.ts';
import { withParameter } from '../session/with-parameter.ts';
import type { AuthorizationRequest } from './authorization-request.ts';

/** The parameter by which a merchant says which store is meant, with its alias. */
export const storeParameter = 'store';

/** The page that asks which store is meant, or says that there is none. `path` is the request's own. */
export async function showStores(
  c: Context<Faces>,
  { app }: Pick<AuthorizationRequest, 'app'>,
  given: {
    visitor: Visitor;
    person: SignedIn;
    stores: readonly ManagedStore[];
    path: string;
    now: number;
  },
) {
  const { stores, path } = given;
  const frame = frameOf(c, path);
  const page = (
    <StorePage
      frame={frame}
      app={{ name: app.name, isDraft: app.state === 'draft' }}
      stores={stores.map(({ alias, name, role }) => ({
        alias,
        name,
        role,
        href: withParameter(path, storeParameter, alias),
      }))}
      other={await otherAccount(c, frame, { ...given, to: path })}
    />
  );
  return showPage(c, page);
}

/** The page for a store that the merchant may not connect (403). `path` leads to a choice. */
export function showForeignStore(c: Context<Faces>, path: string) {
  const frame = frameOf(c);
  const { foreign: title, foreignLead, chooseAnother: text } = wordsOf(frame.language).store;
  const props = { frame, title, paragraphs: [foreignLead], link: { href: path, text } };
  return showPage(c, <NoticePage {...props} />, { status: 403 });
}
