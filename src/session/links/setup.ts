import { equalInConstantTime } from '../../crypto/digest.ts';
import { notFound } from '../../errors.ts';
import { lacksOperator, makeFirstOperator } from '../../people/sign-up/first-operator.ts';
import { settingsOf } from '../../settings.ts';
import { hashNewPassword } from '../new-password.ts';
import { requestDeed } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { prepareSession } from '../start-session.ts';
import { hashingRetrySeconds } from '../throttle/hashing-slots.ts';
import {
  emailView,
  errorsOf,
  nameView,
  newPasswordViews,
  parseEmail,
  parseName,
  parseNewPassword,
  valueOf,
} from './fields.ts';
import type { NoState, PublicForm } from './public-form.tsx';

/**
 * `/setup?token=...`: makes the first operator, and leads to their second factor. It does not exist (404) without the token
 * of the deployment, and never again once there is an operator. The form carries no token but its own, which proves that it
 * was opened with the right one, so the address bar is rid of it after the form.
 */
export const setupForm: PublicForm<NoState> = {
  path: browserPaths.setup,
  purpose: 'setup',
  async load(c, { now }) {
    const { setupToken } = settingsOf(c.env);
    // Compared also where no token is set, so that the time tells nothing.
    const isRight = await equalInConstantTime(c.req.query('token') ?? '', setupToken ?? '');
    if (!isRight || setupToken === undefined || !(await lacksOperator(requestDeed(c, now)))) {
      throw notFound();
    }
    return {};
  },
  view(_state, { messages }, form) {
    const t = messages.security.setup;
    return {
      title: t.title,
      paragraphs: [t.lead],
      fields: [nameView(messages, form), emailView(messages, form), ...newPasswordViews(messages)],
      submit: t.submit,
    };
  },
  async submit(c, _state, form, { browser, now, messages, language }) {
    const deed = requestDeed(c, now);
    if (!(await lacksOperator(deed))) throw notFound();
    const [name, email] = [parseName(form, messages), parseEmail(form, messages)];
    const password = parseNewPassword(form, messages);
    const errors = errorsOf(name, email, password);
    if (errors.length > 0) return { errors };
    const passwordHash = await hashNewPassword(valueOf(password), now);
    if (passwordHash === undefined) return { kind: 'busy', seconds: hashingRetrySeconds };
    const session = await prepareSession(c, deed, { browser });
    const user = { name: valueOf(name), email: valueOf(email), passwordHash, language };
    const result = await makeFirstOperator(deed, user, session.start);
    if (result === 'late') throw notFound();
    if (result === 'taken')
      return { errors: [{ field: 'email', text: messages.security.setup.taken }] };
    session.setCookie();
    return c.redirect(`${browserPaths.security}/second-factor`, 303);
  },
};
