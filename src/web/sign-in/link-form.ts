import { findLink, type LinkKind, type OpenLink } from '../../accounts/sign-in/one-use-links.ts';
import { browserPaths } from '../../base/page-paths.ts';
import type { PublicPage } from '../page.ts';

/** The content of the form token of a link: the link as it was when the form was created. */
export interface LinkState {
  token: string;
  link: OpenLink;
}

const advice = {
  sign_up: ['signUp', browserPaths.signUp],
  password_reset: ['reset', browserPaths.forgottenPassword],
  confirm_email: ['account', browserPaths.account],
  undo_email: ['account', browserPaths.account],
  keep_second_factor: ['account', browserPaths.account],
} as const;

/**
 * Loads the link of the query, which uses nothing up. Shows the page of a dead link (404) for any
 * other token.
 */
export async function loadLink(page: PublicPage, kind: LinkKind): Promise<LinkState | Response> {
  const token = page.query('token') ?? '';
  const link = /^[\w-]{43}$/.test(token) && (await findOpenLink(page, { token, kind }));
  return link ? { token, link } : showDeadLink(page, kind);
}

/** Finds the link of a form again, so that the form of a used one costs no hash. */
export const findOpenLink = (
  { directory, now }: PublicPage,
  { token, kind }: { token: string; kind: LinkKind },
): Promise<OpenLink | undefined> => findLink(directory, { token, kind, now });

/** Shows the page of a link that was used, has expired or never was (404), and what to do. */
export function showDeadLink(page: PublicPage, kind: LinkKind) {
  const { title, lead, ...texts } = page.messages.security.dead;
  const [text, href] = advice[kind];
  return page.info(
    { title, paragraphs: [lead], link: { href, text: texts[text] } },
    { status: 404 },
  );
}
