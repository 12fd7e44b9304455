import type { Language } from '../base/languages.ts';
import type { MailData, MailKind } from './kinds.ts';
import type { MailTexts, TemplateName } from './templates/texts.ts';

/** The content of a mail of a kind: its template with the values of the placeholders, and where its button leads. */
export interface MailForm {
  template: TemplateName;
  values: Readonly<Record<string, string>>;
  /** A path of this service, or a one-use link to it. */
  href?: string;
  reason: keyof MailTexts['reasons'];
}

interface Words {
  language: Language;
  roles: MailTexts['roles'];
}

/** Where buttons lead whose mail has no link of its own. */
const paths = {
  forgotten: '/password/forgotten',
  account: '/account',
  sessions: '/account/sessions',
  security: '/account/security',
  keys: '/account/keys',
  apps: '/account/apps',
  webhooks: '/account/webhooks',
  operator: '/operator',
  partners: '/partners',
  partnerActivity: '/partners/activity',
} as const;

/** The page that switches off mails that are not about security. */
export const preferencesPath = '/account/notifications';

/** The form of each kind. Values of names are made harmless where they are filled in. */
export const mailForms: {
  readonly [K in MailKind]: (data: MailData[K], words: Words) => MailForm;
} = {
  invitation: ({ inviter, kind, store = '', role = 'viewer', link }, { roles }) => ({
    template: `invitation_${kind}`,
    values: { inviter, store, role: roles[role] },
    href: link,
    reason: 'address',
  }),
  sign_up: ({ link }) => ({ template: 'sign_up', values: {}, href: link, reason: 'address' }),
  sign_up_known: ({ link }) => ({
    template: 'sign_up_known',
    values: {},
    href: link,
    reason: 'account',
  }),
  password_reset: ({ link }) => ({
    template: 'password_reset',
    values: {},
    href: link,
    reason: 'account',
  }),
  password_changed: () => account('password_changed', {}, paths.forgotten),
  email_change_requested: ({ newEmail }) =>
    account('email_change_requested', { newEmail }, paths.security),
  email_confirmation: ({ link }) => ({
    template: 'email_confirmation',
    values: {},
    href: link,
    reason: 'address',
  }),
  email_changed: ({ newEmail, link }) => account('email_changed', { newEmail }, link),
  new_sign_in: ({ country, device }, { language }) =>
    country === ''
      ? account('new_sign_in_somewhere', { device }, paths.sessions)
      : account('new_sign_in', { device, country: nameCountry(country, language) }, paths.sessions),
  api_key_created: ({ name, lastFour }) =>
    account('api_key_created', { name, lastFour }, paths.keys),
  second_factor_changed: ({ change }) => account(`second_factor_${change}`, {}, paths.security),
  second_factor_removal: ({ link, reason }) => account('second_factor_removal', { reason }, link),
  app_connected: ({ app, publisher, store: name }) =>
    store('app_connected', { app, publisher, store: name }, paths.apps),
  app_disconnected: ({ app, store: name }) =>
    store('app_disconnected', { app, store: name }, paths.apps),
  app_changed: ({ app, member, change, host }) =>
    account(`app_${change}_changed`, { app, member, host }, paths.partnerActivity),
  member_invited: ({ email, store: name, role, reason }, { roles }) =>
    store('member_invited', { email, store: name, role: roles[role], reason }, paths.account),
  member_added: ({ member, store: name, role }, { roles }) =>
    store('member_added', { member, store: name, role: roles[role] }, paths.account),
  member_removed: ({ member, store: name }) =>
    store('member_removed', { member, store: name }, paths.account),
  you_were_removed: ({ store: name }) => account('you_were_removed', { store: name }),
  ownership_handed_over: ({ store: name, member }) =>
    store('ownership_handed_over', { store: name, member }, paths.account),
  webhook_destination: ({ store: name, host }) =>
    store('webhook_destination', { store: name, host }, paths.webhooks),
  webhook_failing: ({ store: name, host, hours }) =>
    store('webhook_failing', { store: name, host, hours: String(hours) }, paths.webhooks),
  webhook_switched_off: ({ store: name, host }) =>
    store('webhook_switched_off', { store: name, host }, paths.webhooks),
  app_webhook_switched_off: ({ app, host }) =>
    account('app_webhook_switched_off', { app, host }, paths.partners),
  export_ready: ({ store: name, link }) => store('export_ready', { store: name }, link),
  store_made: ({ store: name, by }) =>
    account('store_made', { store: name, inviter: by }, paths.account),
  store_deactivated: ({ store: name, reason }) =>
    store('store_deactivated', { store: name, reason }, paths.account),
  store_reactivated: ({ store: name }) =>
    store('store_reactivated', { store: name }, paths.account),
  store_closing: ({ store: name, date }, { language }) =>
    store('store_closing', { store: name, date: formatDay(date, language) }, paths.account),
  store_erasure_ordered: ({ store: name, reason, contact, date }, { language }) =>
    date === null
      ? store('store_erasure_asked', { store: name, reason, contact }, paths.account)
      : store(
          'store_erasure_confirmed',
          { store: name, reason, contact, date: formatDay(date, language) },
          paths.account,
        ),
  operator_made: () => account('operator_made', {}, paths.operator),
};

const account = (template: TemplateName, values: MailForm['values'], href?: string): MailForm => ({
  template,
  values,
  ...(href !== undefined && { href }),
  reason: 'account',
});

const store = (template: TemplateName, values: MailForm['values'], href: string): MailForm => ({
  template,
  values,
  href,
  reason: 'store',
});

function nameCountry(country: string, language: Language): string {
  try {
    return new Intl.DisplayNames([language], { type: 'region' }).of(country) ?? country;
  } catch {
    return country;
  }
}

const formatDay = (at: number, language: Language) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(at);
