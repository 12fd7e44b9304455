import type { Context } from 'hono';
import { muteMail } from '../../accounts/users/profile.ts';
import { HttpError } from '../../base/errors.ts';
import { browserPaths, unsubscribePath } from '../../base/page-paths.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { type MutableKind, optionalKinds } from '../../mail/kinds.ts';
import { oneClick, openUnsubscribeToken, type Unsubscription } from '../../mail/unsubscribe.ts';
import { publicForm } from '../forms/form.tsx';
import { formBody } from '../forms/received-form.ts';
import { PublicPage, userActor } from '../page.ts';
import { identifyBrowser } from './browser-session.ts';

/**
 * The page of a link of an optional mail: asks, because programs open links to check them, and
 * switches its kind off.
 */
const form = publicForm<Unsubscription>({
  path: unsubscribePath,
  role: 'public',
  purpose: 'unsubscribe',
  limit: 'pages',
  async load(page) {
    const kind = page.done(optionalKinds);
    if (kind) return showStopped(page, kind);
    return (await openLink(page)) ?? showDeadUnsubscribe(page);
  },
  view({ messages }, { kind }) {
    const { unsubscribe: t, kinds } = messages.notifications;
    return { title: t.title, paragraphs: [t.lead, kinds[kind]], submit: t.submit };
  },
  async submit(page, _values, unsubscription) {
    await mute(page, unsubscription);
    return page.redirect(`${unsubscribePath}?done=${unsubscription.kind}`);
  },
});

/**
 * `/e-mail/unsubscribe?token=...`: besides the page, takes what a mailbox sends when its reader
 * presses its button (RFC 8058), without a session, a cookie or an origin. Such a body leads
 * nowhere without the token.
 */
export const unsubscribeForm: typeof form = {
  ...form,
  mount(pages) {
    pages.post(unsubscribePath, async (c, next) =>
      c.req.query('token') === undefined ? next() : stopAtOnce(c),
    );
    form.mount(pages);
  },
};

async function stopAtOnce(c: Context<AppEnv>) {
  const sent = await formBody(c, { maxBytes: 1_024, maxPartsBytes: 1_024 }).read();
  const pairs = Array.from(sent, (pair) => pair.join('='));
  if (pairs.join('&') !== oneClick) throw new HttpError('invalid_body', { status: 400 });
  const page = new PublicPage(c, await identifyBrowser(c), Date.now());
  const unsubscription = await openLink(page);
  if (!unsubscription) return showDeadUnsubscribe(page);
  await mute(page, unsubscription);
  return showStopped(page, unsubscription.kind);
}

const openLink = (page: PublicPage) =>
  openUnsubscribeToken(page.settings, page.query('token') ?? '', page.now);

const mute = (page: PublicPage, unsubscription: Unsubscription) =>
  muteMail(page.actionOf(userActor({ id: unsubscription.userId, name: '' })), unsubscription);

const linkToAll = ({ messages }: PublicPage) => ({
  href: browserPaths.notifications,
  text: messages.notifications.title,
});

const showStopped = (page: PublicPage, kind: MutableKind) => {
  const { unsubscribe: t, kinds } = page.messages.notifications;
  return page.info({
    title: t.done,
    paragraphs: [t.doneLead, kinds[kind]],
    link: linkToAll(page),
  });
};

/** Shows the page of a link that was changed or has expired (404). */
const showDeadUnsubscribe = (page: PublicPage) => {
  const { title } = page.messages.security.dead;
  const paragraphs = [page.messages.notifications.unsubscribe.dead];
  return page.info({ title, paragraphs, link: linkToAll(page) }, { status: 404 });
};
