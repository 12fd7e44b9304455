import * as z from 'zod';
import { checkPassword } from '../../accounts/sign-in/check-credentials.ts';
import { preparePassword } from '../../accounts/sign-in/password.ts';
import { findPasswordFault } from '../../accounts/sign-in/password.ts';
import { changePassword } from '../../accounts/users/change-password.ts';
import { changeMailPreferences, findMailPreferences } from '../../accounts/users/profile.ts';
import { readableAddress } from '../../base/hosts.ts';
import { browserPaths } from '../../base/page-paths.ts';
import { optionalKinds } from '../../mail/kinds.ts';
import { isMailConfigured } from '../../mail/outbox.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { fieldIssue, sentText, sentValues, ticked } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { describeNewSession } from '../../web/sign-in/open-session.ts';

/**
 * `/account/password`: changes the password and ends all other sessions. Wrong current passwords of
 * all sessions of the user are counted together, so a stolen session does not bypass the throttle.
 * They are counted apart from those of strangers, so that no stranger can keep the user from
 * changing it.
 */
export const passwordForm = userForm({
  path: browserPaths.password,
  role: 'user',
  proof: 'withSecondFactor',
  limit: 'attempts',
  part: 'security',
  fields: ({ account: { password: t } }) =>
    z.object({ current: sentText, fresh: sentText, repeated: sentText }).check((payload) => {
      const { current, fresh, repeated } = payload.value;
      const report = (field: keyof typeof payload.value, text: string) =>
        payload.issues.push(fieldIssue('', text, field));
      if (current === '') report('current', t.currentMissing);
      const fault = findPasswordFault(fresh, repeated);
      if (fault === 'short') report('fresh', t.freshShort);
      else if (fault === 'long') report('fresh', t.freshLong);
      else if (preparePassword(fresh) === preparePassword(current)) report('fresh', t.freshSame);
      else if (fault) report('repeated', t.repeatedDiffers);
    }),
  view({ messages, user }) {
    const t = messages.account.password;
    const type = 'password';
    return {
      title: t.title,
      paragraphs: [t.lead],
      username: user.email,
      fields: [
        { name: 'current', label: t.current, type, autocomplete: 'current-password' },
        { name: 'fresh', label: t.fresh, hint: t.freshHint, type, autocomplete: 'new-password' },
        { name: 'repeated', label: t.repeated, type, autocomplete: 'new-password' },
      ],
      submit: t.submit,
      back: browserPaths.account,
    };
  },
  async submit(page, { current: password, fresh: newPassword }) {
    const { c, action, messages } = page;
    const wrong = { errors: [{ field: 'current', text: messages.account.password.currentWrong }] };
    const { email, id: userId } = page.user;
    const attempt = { email, password, trustedBy: 'session', newPassword };
    const checked = await checkPassword(page, attempt);
    if ('kind' in checked) return checked.kind === 'wrong' ? wrong : checked;
    const { account, newHash, counted } = checked;
    const { session, setCookie } = await describeNewSession(c, {
      browser: page.browser,
      now: page.now,
      factorAt: page.session.factorAt,
    });
    const change = { userId, oldHash: account.hash, newHash, session, counted };
    // False if a concurrent request has changed the password, so that the given one is no longer
    // current.
    if (!(await changePassword(action, change))) return wrong;
    setCookie();
    return page.redirect(`${browserPaths.account}?done=password`);
  },
});

/**
 * `/account/notifications`: the mails that the user gets. Every kind that is not ticked is switched
 * off.
 */
export const notificationsForm = userForm({
  path: browserPaths.notifications,
  role: 'user',
  limit: 'pages',
  part: 'account',
  load: ({ directory, user }) => findMailPreferences({ directory }, user.id),
  fields: () => z.object({ allows: ticked, kinds: sentValues }),
  view(page, { allows, muted }) {
    const { messages, user, env } = page;
    const t = messages.notifications;
    return {
      title: t.title,
      flash: page.query('done') === 'saved' ? t.saved : undefined,
      problem: isMailConfigured(env) ? undefined : t.notConfigured,
      paragraphs: [
        <Interpolate
          text={t.lead}
          parts={{ email: <strong>{readableAddress(user.email)}</strong> }}
        />,
      ],
      fields: [
        {
          name: 'allows',
          label: t.all,
          type: 'checkboxes',
          options: [{ value: 'yes', text: t.allows, meaning: t.allowsHint }],
          value: allows ? ['yes'] : [],
        },
        {
          name: 'kinds',
          label: t.which,
          type: 'checkboxes',
          options: optionalKinds.map((kind) => ({ value: kind, text: t.kinds[kind] })),
          value: optionalKinds.filter((kind) => !muted.includes(kind)),
        },
      ],
      submit: t.submit,
      back: browserPaths.account,
    };
  },
  async submit(page, { allows, kinds }) {
    const muted = optionalKinds.filter((kind) => !kinds.includes(kind));
    await changeMailPreferences(page.action, page.user.id, { allows, muted });
    return page.redirect(`${browserPaths.notifications}?done=saved`);
  },
});
