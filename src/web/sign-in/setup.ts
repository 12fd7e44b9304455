import { hashNewPassword } from '../../accounts/sign-in/check-credentials.ts';
import { lacksOperator, makeFirstOperator } from '../../accounts/users/first-operator.ts';
import { equalInConstantTime } from '../../base/crypto/digest.ts';
import { notFound } from '../../base/errors.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { publicForm, type NoState } from '../forms/form.tsx';
import {
  emailField,
  emailView,
  nameField,
  nameView,
  newPasswordViews,
  withNewPassword,
} from './link-fields.ts';
import { prepareSession } from './open-session.ts';

/**
 * `/setup?token=...`: creates the first operator, and leads to their second factor. It does not
 * exist (404) without the token of the deployment, and never again once there is an operator. The
 * form carries no token but its own, which proves that it was opened with the right one. So the
 * address bar no longer has the token after the form.
 */
export const setupForm = publicForm<NoState, { name: string; email: string; password: string }>({
  path: browserPaths.setup,
  role: 'public',
  purpose: 'setup',
  limit: 'passwords',
  async load(page) {
    const { setupToken } = page.settings;
    // Compared also where no token is set, so that the duration reveals nothing.
    const isRight = await equalInConstantTime(page.query('token') ?? '', setupToken ?? '');
    if (!isRight || setupToken === undefined || !(await lacksOperator(page.actionOf()))) {
      throw notFound();
    }
    return {};
  },
  fields: (messages, page) =>
    withNewPassword(messages, { name: nameField(messages, page), email: emailField(messages) }),
  view({ messages }) {
    const t = messages.security.setup;
    return {
      title: t.title,
      paragraphs: [t.lead],
      fields: [nameView(messages), emailView(messages), ...newPasswordViews(messages)],
      submit: t.submit,
    };
  },
  async submit(page, { name, email, password }) {
    const action = page.actionOf();
    if (!(await lacksOperator(action))) throw notFound();
    const hashed = await hashNewPassword(page, { email, password });
    if ('kind' in hashed) return hashed;
    const session = await prepareSession(page.c, action, page);
    const user = { name, email, passwordHash: hashed.hash, language: page.language };
    const result = await makeFirstOperator(action, user, session.start);
    if (result === 'late') throw notFound();
    if (result === 'taken')
      return { errors: [{ field: 'email', text: page.messages.security.setup.taken }] };
    session.setCookie();
    return page.redirect(securityPaths.factor);
  },
});
