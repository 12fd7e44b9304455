import type { Language } from '../../base/languages.ts';
import { englishMessages, type Messages } from './en/messages.ts';
import { spanishMessages } from './es/messages.ts';
import { portugueseMessages } from './pt-br/messages.ts';

const dictionaries: Record<Language, Messages> = {
  en: englishMessages,
  'pt-BR': portugueseMessages,
  es: spanishMessages,
};

/** Returns the messages in a language. */
export const messagesFor = (language: Language): Messages => dictionaries[language];

/** Returns the message for `kind`, or the message `other` if there is none. */
export const messageOrOther = (
  messages: Readonly<Record<string, string>> & { other: string },
  kind: string,
): string => (Object.hasOwn(messages, kind) && messages[kind]) || messages.other;
