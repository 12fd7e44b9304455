import { raw } from 'hono/html';
import type { Accent, Brand } from '../base/brand.ts';
import { readableAddress } from '../base/hosts.ts';
import { formatMegabytes, type Language } from '../base/languages.ts';
import {
  browserPaths,
  operatorPaths,
  partnerActivityPath,
  splitAddress,
} from '../base/page-paths.ts';
import type { Settings } from '../base/settings.ts';
import { mutableKinds, type MailKind, type MailData } from './kinds.ts';
import { englishMails } from './templates/en.ts';
import { spanishMails } from './templates/es.ts';
import type { MailTexts, TemplateName } from './templates/mail-texts.ts';
import { portugueseMails } from './templates/pt-br.ts';

/** A mail as it leaves. `to` is one address; `key` names the mail, also when it is sent again. */
export interface RenderedMail {
  key: string;
  to: { email: string; name: string | null };
  subject: string;
  text: string;
  html: string;
  /** The link that switches such mails off at once; absent for those about security. */
  unsubscribe?: string;
}

const textsByLanguage: Record<Language, MailTexts> = {
  en: englishMails,
  'pt-BR': portugueseMails,
  es: spanishMails,
};

/** The columns of a mail in the outbox that its text depends on. */
export interface MailToRender {
  kind: string;
  language: Language;
  to_address: string;
  to_name: string | null;
  /** The link that switches off the mails of its kind (`makeUnsubscribeLink`). */
  unsubscribe?: string | undefined;
}

/** One address, and nothing that could be a second one or a header. */
const isAddress = (text: string) => /^[^\s<>()[\]",;:\\@]+@[^\s<>()",;:\\@]+$/.test(text);

/**
 * Renders a mail as text and HTML from the same blocks. Returns `undefined` for an unknown kind,
 * for a link that leads to another host, and for a text that is not one address.
 */
export function renderMail(
  { brand, linkOrigin, mailFrom }: Pick<Settings, 'brand' | 'linkOrigin' | 'mailFrom'>,
  { kind, language, to_address: address, to_name: toName, unsubscribe }: MailToRender,
  data: unknown,
): Omit<RenderedMail, 'key'> | undefined {
  const texts = textsByLanguage[language];
  const form = formOf(kind, data, { language, roles: texts.roles });
  if (!form || !isAddress(address)) return undefined;
  const { subject, body, button } = texts.mails[form.template];
  // Whom a reader writes to who thinks that something is wrong.
  const contact = brand.supportAddress ?? mailFrom ?? brand.name;
  const values = { ...form.values, service: brand.name, contact };
  const href = form.href === undefined ? undefined : resolveOwn(form.href, linkOrigin);
  if (form.href !== undefined && href === undefined) return undefined;
  const name = toName === null ? '' : cleanName(toName);
  const stop = unsubscribe === undefined ? [] : [{ label: texts.unsubscribe, href: unsubscribe }];
  const content: MailContent = {
    language,
    subject: fill(subject, values),
    greeting: name === '' ? texts.greetingWithoutName : fill(texts.greeting, { name }),
    body: body.map((paragraph) => fill(paragraph, values)),
    items: form.items ?? [],
    button: button !== undefined && href !== undefined ? { label: button, href } : undefined,
    openAddress: texts.openAddress,
    reason: fill(texts.reasons[form.reason], values),
    preferences: mutableKinds.has(kind)
      ? [...stop, { label: texts.preferences, href: linkOrigin + browserPaths.notifications }]
      : [],
    brand,
    support: brand.supportAddress && fill(texts.support, { address: brand.supportAddress }),
  };
  return {
    to: { email: address, name: name || null },
    subject: content.subject,
    text: renderText(content),
    html: `<!doctype html>${(<MailDocument {...content} />).toString()}`,
    ...(content.preferences.length > 1 && unsubscribe !== undefined && { unsubscribe }),
  };
}

const isKind = (kind: string): kind is MailKind => Object.hasOwn(mailForms, kind);

type FormOfAnyKind = (
  data: unknown,
  words: Parameters<(typeof mailForms)['sign_up']>[1],
) => MailForm;

function formOf(
  kind: string,
  data: unknown,
  words: Parameters<FormOfAnyKind>[1],
): MailForm | undefined {
  // The data were sealed with this kind, by code that knows its type.
  return isKind(kind) ? (mailForms[kind] as FormOfAnyKind)(data, words) : undefined;
}

/** The absolute address of a path or link of this service; `undefined` for any other. */
function resolveOwn(href: string, origin: string): string | undefined {
  const url = URL.parse(href, origin);
  return url?.origin === origin ? url.href : undefined;
}

/** Values that programs show as they are: they are addresses, or words of this service. */
const verbatim = new Set([
  'service',
  'contact',
  'newEmail',
  'host',
  'role',
  'date',
  'hours',
  'lastFour',
  'country',
  'address',
]);

const fill = (text: string, values: Readonly<Record<string, string>>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return verbatim.has(name) ? cleanText(value) : cleanName(value);
  });

/**
 * Ends of lines, controls, and marks of the writing direction, which may change how the text around
 * a name is read.
 */
const breaks = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu;

/**
 * Other characters that nobody sees, but for those that emoji and some scripts join others with.
 */
const unseen = /(?!\u200C|\u200D|\uFE0F)\p{DI}/gu;

/** One line without what cannot be seen. */
const cleanText = (value: string) =>
  value.replace(breaks, ' ').replace(unseen, '').replace(/\s+/g, ' ').trim();

/**
 * Cleans a name that a user chose and that strangers may receive. It has at most 80 characters. No
 * program makes a link of it, because a word joiner stands behind each character that an address
 * needs.
 */
const cleanName = (value: string) =>
  Array.from(cleanText(value))
    .slice(0, 80)
    .join('')
    .replace(/[.:/@](?=\S)/g, '$&\u2060');

const renderText = ({
  greeting,
  body,
  items,
  button,
  reason,
  support,
  preferences,
  brand,
}: MailContent) =>
  [
    greeting,
    ...body,
    ...(items.length > 0 ? [items.map((item) => `* ${item}`).join('\n')] : []),
    ...(button ? [`${button.label}:\n${button.href}`] : []),
    `-- \n${brand.name}\n${reason}`,
    ...(support === undefined ? [] : [support]),
    ...preferences.map(({ label, href }) => `${label}: ${href}`),
  ].join('\n\n');

/** A mail as blocks, from which text and HTML are rendered. */
interface MailContent {
  language: Language;
  subject: string;
  greeting: string;
  body: readonly string[];
  /** A list below the body. */
  items: readonly string[];
  button: { label: string; href: string } | undefined;
  openAddress: string;
  reason: string;
  /** The links that switch such mails off; none for those about security. */
  preferences: readonly { label: string; href: string }[];
  brand: Pick<Brand, 'name' | 'accent' | 'supportAddress'>;
  support: string | undefined;
}

/** The colours of the style sheet of the pages. */
const standardAccent: Accent = {
  light: '#0b57d0',
  onLight: '#ffffff',
  dark: '#8ab4f8',
  onDark: '#0b1a33',
};

/**
 * Colours for programs that know dark mode. All else is in `style` attributes, since many programs
 * drop style sheets.
 */
const darkStyles = ({ dark, onDark }: Accent) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #14171c !important; }
  .card { background: #1e232b !important; color: #e9edf2 !important; border-color: ${dark} !important; }
  .small { color: #b3bcc8 !important; }
  .link, .brand { color: ${dark} !important; }
  .button { background: ${dark} !important; color: ${onDark} !important; }
}`;

const font = 'font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;';
const page = `margin: 0; padding: 24px 12px; background: #f3f5f8; ${font}`;
const card = ({ light }: Accent) =>
  `max-width: 560px; margin: 0 auto; padding: 24px; border-top: 4px solid ${light}; border-radius: 8px; background: #ffffff; color: #1b1f24; font-size: 16px; line-height: 1.5; overflow-wrap: anywhere;`;
const brandLine = ({ light }: Accent) =>
  `margin: 0 0 16px; color: ${light}; font-size: 16px; font-weight: 700;`;
const heading = 'margin: 0 0 16px; font-size: 22px; line-height: 1.3;';
const paragraph = 'margin: 0 0 16px; overflow-wrap: anywhere;';
const button = ({ light, onLight }: Accent) =>
  `display: inline-block; padding: 12px 20px; border-radius: 6px; background: ${light}; color: ${onLight}; font-weight: 600; text-decoration: none;`;
const small = 'margin: 0 0 12px; color: #55606e; font-size: 14px; overflow-wrap: anywhere;';
const link = ({ light }: Accent) => `color: ${light};`;
const hidden = 'display: none; max-height: 0; overflow: hidden;';

/** A mail as HTML: one column, no images, no resource of another host. */
const MailDocument = (mail: MailContent) => {
  const accent = mail.brand.accent ?? standardAccent;
  return (
    <html lang={mail.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{mail.subject}</title>
        <style>{raw(darkStyles(accent))}</style>
      </head>
      <body class="page" style={page}>
        <div style={hidden} aria-hidden="true">
          {mail.body[0]}
        </div>
        <main class="card" style={card(accent)}>
          <p class="brand" style={brandLine(accent)}>
            {mail.brand.name}
          </p>
          <h1 style={heading}>{mail.subject}</h1>
          <p style={paragraph}>{mail.greeting}</p>
          {mail.body.map((text) => (
            <p style={paragraph}>{text}</p>
          ))}
          {mail.items.length > 0 && (
            <ul style={paragraph}>
              {mail.items.map((text) => (
                <li>{text}</li>
              ))}
            </ul>
          )}
          {mail.button && (
            <MailButton {...mail.button} openAddress={mail.openAddress} accent={accent} />
          )}
          <p class="small" style={small}>
            {mail.reason}
          </p>
          {mail.support !== undefined && (
            <p class="small" style={small}>
              {mail.support}
            </p>
          )}
          {mail.preferences.map(({ label, href }) => (
            <p class="small" style={small}>
              <a class="link" style={link(accent)} href={href}>
                {label}
              </a>
            </p>
          ))}
        </main>
      </body>
    </html>
  );
};

interface MailButtonProps {
  label: string;
  href: string;
  openAddress: string;
  accent: Accent;
}

const MailButton = ({ label, href, openAddress, accent }: MailButtonProps) => (
  <>
    <p style={paragraph}>
      <a class="button" style={button(accent)} href={href}>
        {label}
      </a>
    </p>
    <p class="small" style={small}>
      {openAddress}
      <br />
      <a class="link" style={link(accent)} href={href}>
        {splitAddress(href).map((part) => (
          <>
            {part}
            <wbr />
          </>
        ))}
      </a>
    </p>
  </>
);

/**
 * The content of a mail of a kind: its template with the values of the placeholders, and where its
 * button leads.
 */
export interface MailForm {
  template: TemplateName;
  values: Readonly<Record<string, string>>;
  /** Lines below the body, with harmless names. */
  items?: readonly string[];
  /** A path of this service, or a one-use link to it. */
  href?: string;
  reason: keyof MailTexts['reasons'];
}

interface Words {
  language: Language;
  roles: MailTexts['roles'];
}

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
  password_changed: () => account('password_changed', {}, browserPaths.forgottenPassword),
  email_change_requested: ({ newEmail }) =>
    account(
      'email_change_requested',
      { newEmail: readableAddress(newEmail) },
      browserPaths.security,
    ),
  email_confirmation: ({ link }) => ({
    template: 'email_confirmation',
    values: {},
    href: link,
    reason: 'address',
  }),
  email_changed: ({ newEmail, link }) =>
    account('email_changed', { newEmail: readableAddress(newEmail) }, link),
  email_change_undone: ({ lines }, { language }) => ({
    ...account('email_change_undone', {}, browserPaths.account),
    items: lines.map(({ texts, target }) => fill(texts[language], { target })),
  }),
  doors_shut: () => account('doors_shut', {}, browserPaths.security),
  new_sign_in: ({ country, device }, { language }) =>
    country === ''
      ? account('new_sign_in_somewhere', { device }, browserPaths.sessions)
      : account(
          'new_sign_in',
          { device, country: nameCountry(country, language) },
          browserPaths.sessions,
        ),
  api_key_created: ({ name, lastFour }) =>
    account('api_key_created', { name, lastFour }, browserPaths.keys),
  api_key_revoked: ({ name, lastFour, reason }) =>
    account('api_key_revoked', { name, lastFour, reason }, browserPaths.keys),
  recovery_code_used: ({ left }) =>
    account('recovery_code_used', { count: String(left) }, browserPaths.security),
  user_deactivated: ({ reason }) => account('user_deactivated', { reason }),
  second_factor_changed: ({ change }) =>
    account(`second_factor_${change}`, {}, browserPaths.security),
  passkey_changed: ({ change, name }) =>
    account(`passkey_${change}`, { name }, browserPaths.security),
  device_remembered: ({ device }) =>
    account('device_remembered', { device }, browserPaths.security),
  codes_guessed: ({ count }) =>
    account('codes_guessed', { count: String(count) }, browserPaths.security),
  second_factor_removal: ({ link, reason }) => account('second_factor_removal', { reason }, link),
  app_connected: ({ app, publisher, store: name }) =>
    store('app_connected', { app, publisher, store: name }, browserPaths.connectedApps),
  app_disconnected: ({ app, store: name }) =>
    store('app_disconnected', { app, store: name }, browserPaths.connectedApps),
  app_changed: ({ app, member, change, host }) =>
    account(`app_${change}_changed`, { app, member, host }, partnerActivityPath()),
  app_disabled: ({ app, reason }) =>
    account('app_disabled', { app, reason }, browserPaths.partners),
  member_invited: ({ email, store: name, role, reason }, { roles }) =>
    store(
      'member_invited',
      { email, store: name, role: roles[role], reason },
      browserPaths.account,
    ),
  member_added: ({ member, store: name, role }, { roles }) =>
    store('member_added', { member, store: name, role: roles[role] }, browserPaths.account),
  member_removed: ({ member, store: name }) =>
    store('member_removed', { member, store: name }, browserPaths.account),
  you_were_removed: ({ store: name }) => account('you_were_removed', { store: name }),
  role_changed: ({ store: name, role, by }, { roles }) =>
    store('role_changed', { store: name, role: roles[role], by }, browserPaths.account),
  ownership_handed_over: ({ store: name, member }) =>
    store('ownership_handed_over', { store: name, member }, browserPaths.account),
  webhook_destination: ({ store: name, host }) =>
    store('webhook_destination', { store: name, host }, browserPaths.webhooks),
  webhook_failing: ({ store: name, host, hours }) =>
    store('webhook_failing', { store: name, host, hours: String(hours) }, browserPaths.webhooks),
  webhook_switched_off: ({ store: name, host }) =>
    store('webhook_switched_off', { store: name, host }, browserPaths.webhooks),
  app_webhook_switched_off: ({ app, host }) =>
    partner('app_webhook_switched_off', { app, host }, browserPaths.partners),
  event_budget: ({ store: name, percent, budget }, { language }) =>
    store(
      'event_budget',
      { store: name, percent: String(percent), budget: formatMegabytes(budget, language) },
      browserPaths.webhooks,
    ),
  export_ready: ({ store: name, link }) => store('export_ready', { store: name }, link),
  store_made: ({ store: name, by }) =>
    account('store_made', { store: name, inviter: by }, browserPaths.account),
  store_deactivated: ({ store: name, reason }) =>
    store('store_deactivated', { store: name, reason }, browserPaths.account),
  store_reactivated: ({ store: name }) =>
    store('store_reactivated', { store: name }, browserPaths.account),
  store_closing: ({ store: name, date }, { language }) =>
    store('store_closing', { store: name, date: formatDay(date, language) }, browserPaths.account),
  store_erasure_ordered: ({ store: name, reason, date }, { language }) =>
    date === null
      ? store('store_erasure_asked', { store: name, reason }, browserPaths.account)
      : store(
          'store_erasure_confirmed',
          { store: name, reason, date: formatDay(date, language) },
          browserPaths.account,
        ),
  operator_made: () => account('operator_made', {}, browserPaths.operator),
  operator_added: ({ by, userId, reason }) =>
    operators('operator_added', { by, reason }, operatorPaths.user(userId)),
  store_erasure_told: ({ by, store: name, storeId, reason, date }, { language }) =>
    operators(
      date === null ? 'store_erasure_asked_told' : 'store_erasure_confirmed_told',
      { by, store: name, reason, date: date === null ? '' : formatDay(date, language) },
      operatorPaths.store(storeId),
    ),
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

const operators = (template: TemplateName, values: MailForm['values'], href: string): MailForm => ({
  template,
  values,
  href,
  reason: 'operators',
});

const partner = (template: TemplateName, values: MailForm['values'], href: string): MailForm => ({
  template,
  values,
  href,
  reason: 'partner',
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
