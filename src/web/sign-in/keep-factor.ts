import { keepSecondFactor } from '../../accounts/users/request-factor-removal.ts';
import { browserPaths, linkPagePaths, linkPath } from '../../base/page-paths.ts';
import { publicForm } from '../forms/form.tsx';
import { userActor } from '../page.ts';
import { loadLink, showDeadLink, type LinkState } from './link-form.ts';

const doneParameter = 'done';

/**
 * `/second-factor/keep?token=...`: objects to the removal of a second factor that an operator asked
 * for.
 */
export const keepFactorForm = publicForm<LinkState>({
  path: linkPagePaths.keep_second_factor,
  role: 'public',
  purpose: 'keep-second-factor',
  limit: 'pages',
  againPath: ({ token }) => linkPath('keep_second_factor', token),
  async load(page) {
    if (page.query(doneParameter) !== 'yes') return loadLink(page, 'keep_second_factor');
    const { keepFactor: t, dead } = page.messages.security;
    const link = { href: browserPaths.security, text: dead.account };
    return page.info({ title: t.done, paragraphs: [t.doneLead], link });
  },
  view({ messages }, { link }) {
    const t = messages.security.keepFactor;
    return {
      title: t.title,
      paragraphs: [t.lead.replace('{name}', () => link.user?.name ?? '')],
      submit: t.submit,
    };
  },
  async submit(page, _values, { link: { user, ...link } }) {
    const isKept =
      user && (await keepSecondFactor(page.actionOf(userActor(user)), { ...link, user }));
    return isKept
      ? page.redirect(`${linkPagePaths.keep_second_factor}?${doneParameter}=yes`)
      : showDeadLink(page, 'keep_second_factor');
  },
});
