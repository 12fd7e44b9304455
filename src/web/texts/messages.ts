import type { Language } from '../../base/languages.ts';
import { englishMessages, type Messages } from './en/messages.ts';
import { spanishMessages } from './es/messages.ts';
import { portugueseMessages } from './pt-br/messages.ts';

/** The messages as they are written, such as for documents in Markdown. */
export const dictionaries: Record<Language, Messages> = {
  en: englishMessages,
  'pt-BR': portugueseMessages,
  es: spanishMessages,
};

/**
 * Returns a text with hyphens that end no line: those of "e-mail", and before the pronoun of a
 * Portuguese verb.
 */
export const joinHyphens = (text: string): string =>
  text.replaceAll(
    /(?<=\be|\sE)-(?=mail)|(?<=\p{Ll})-(?=(?:l?[oa]s?|se|lhes?)\b(?![-@]|\.\w))/gu,
    '\u2011',
  );

/** Joins the hyphens of all texts of a tree. */
const joinAll = (tree: unknown): unknown =>
  typeof tree === 'string'
    ? joinHyphens(tree)
    : Object.fromEntries(
        Object.entries(tree as object).map(([key, value]) => [key, joinAll(value)]),
      );

const joined = new Map<Language, Messages>();

/**
 * Returns the messages of the pages in a language. Its first page makes them, so that start-up does
 * not.
 */
export function messagesFor(language: Language): Messages {
  let messages = joined.get(language);
  if (!messages) {
    messages = joinAll(dictionaries[language]) as Messages;
    joined.set(language, messages);
  }
  return messages;
}

/** Returns the message for `kind`, or the message `other` if there is none. */
export const messageOrOther = (
  messages: Readonly<Record<string, string>> & { other: string },
  kind: string,
): string => (Object.hasOwn(messages, kind) && messages[kind]) || messages.other;
