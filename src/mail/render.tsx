import type { Language } from '../base/languages.ts';
import type { Settings } from '../base/settings.ts';
import { mailForms, preferencesPath, type MailForm } from './forms.ts';
import { mutableKinds, type MailKind } from './kinds.ts';
import { MailDocument, type MailContent } from './layout.tsx';
import type { RenderedMail } from './sender.ts';
import { englishMails } from './templates/en.ts';
import { spanishMails } from './templates/es.ts';
import { portugueseMails } from './templates/pt-br.ts';
import type { MailTexts } from './templates/texts.ts';

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
}

/** One address, and nothing that could be a second one or a header. */
const isAddress = (text: string) => /^[^\s<>()[\]",;:\\@]+@[^\s<>()",;:\\@]+$/.test(text);

/**
 * Renders a mail as text and HTML from the same blocks. Returns `undefined` for an unknown kind, for a link that leads
 * to another host, and for a text that is not one address.
 */
export function renderMail(
  { brand, linkOrigin }: Pick<Settings, 'brand' | 'linkOrigin'>,
  { kind, language, to_address: address, to_name: toName }: MailToRender,
  data: unknown,
): Omit<RenderedMail, 'key'> | undefined {
  const texts = textsByLanguage[language];
  const form = formOf(kind, data, { language, roles: texts.roles });
  if (!form || !isAddress(address)) return undefined;
  const { subject, body, button } = texts.mails[form.template];
  const values = { ...form.values, service: brand.name };
  const href = form.href === undefined ? undefined : resolveOwn(form.href, linkOrigin);
  if (form.href !== undefined && href === undefined) return undefined;
  const name = toName === null ? '' : cleanName(toName);
  const isMutable = mutableKinds.some((mutable) => mutable === kind);
  const content: MailContent = {
    language,
    subject: fill(subject, values),
    greeting: name === '' ? texts.greetingWithoutName : fill(texts.greeting, { name }),
    body: body.map((paragraph) => fill(paragraph, values)),
    button: button !== undefined && href !== undefined ? { label: button, href } : undefined,
    openAddress: texts.openAddress,
    reason: fill(texts.reasons[form.reason], values),
    preferences: isMutable
      ? { label: texts.preferences, href: linkOrigin + preferencesPath }
      : undefined,
    brand,
    support: brand.supportAddress && fill(texts.support, { address: brand.supportAddress }),
  };
  return {
    to: { email: address, name: name || null },
    subject: content.subject,
    text: renderText(content),
    html: `<!doctype html>${(<MailDocument {...content} />).toString()}`,
    ...(content.preferences && { unsubscribe: content.preferences.href }),
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

// oxlint-disable-next-line no-control-regex -- these are what it removes
const unprintable = /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]+/g;

/** One line without control characters and marks of the writing direction. */
const cleanText = (value: string) => value.replace(unprintable, ' ').replace(/\s+/g, ' ').trim();

/**
 * Cleans a name that a user chose and that strangers may receive: at most 80 characters, and no program makes a link of
 * it, because a word joiner stands behind each character that an address needs.
 */
const cleanName = (value: string) =>
  Array.from(cleanText(value))
    .slice(0, 80)
    .join('')
    .replace(/[.:/@](?=\S)/g, '$&\u2060');

const renderText = ({ greeting, body, button, reason, support, preferences, brand }: MailContent) =>
  [
    greeting,
    ...body,
    ...(button ? [`${button.label}:\n${button.href}`] : []),
    `-- \n${brand.name}\n${reason}`,
    ...(support === undefined ? [] : [support]),
    ...(preferences ? [`${preferences.label}: ${preferences.href}`] : []),
  ].join('\n\n');
