import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { findLink, type LinkKind, type OpenLink } from '../../people/links/one-use-links.ts';
import { requestDeed } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { showInfo, type PublicFormContext } from './public-form.tsx';

/** What the form token of a link carries: the link as it was when the form was made. */
export interface LinkState {
  token: string;
  link: OpenLink;
}

const advice = {
  sign_up: ['signUp', browserPaths.signUp],
  password_reset: ['reset', browserPaths.forgottenPassword],
  confirm_email: ['account', browserPaths.account],
  undo_email: ['account', browserPaths.account],
} as const;

/** Loads the link of the query, which uses nothing up. Shows the page of a dead link (404) for any other token. */
export async function loadLink(
  c: Context<AppEnv>,
  context: PublicFormContext,
  kind: LinkKind,
): Promise<LinkState | Response> {
  const token = c.req.query('token') ?? '';
  const { directory } = requestDeed(c, context.now);
  const link = /^[\w-]{43}$/.test(token)
    ? await findLink(directory, { token, kind, now: context.now })
    : undefined;
  return link ? { token, link } : showDeadLink(c, context, kind);
}

/** Shows the page of a link that was used, has expired or never was (404), and what to do. */
export function showDeadLink(
  c: Context<AppEnv>,
  { messages: { security } }: PublicFormContext,
  kind: LinkKind,
) {
  const { title, lead, ...texts } = security.dead;
  const [text, href] = advice[kind];
  const info = { title, paragraphs: [lead], link: { href, text: texts[text] } };
  return showInfo(c, info, { status: 404 });
}
