import type { Language } from '../../base/languages.ts';
import { dictionaries, messagesFor } from '../../web/texts/messages.ts';

// The API says in English why a line was not imported. The English texts of `problems` are its
// messages, with placeholders for their numbers. A message is found by them, and shown in the
// language of the page.

/** The expression that a message must match, for each English text. */
const patterns = Object.entries(dictionaries.en.transfers.problems).map(([name, text]) => {
  const escaped = text.replace(/[.[\](){}?*+^$|]/g, '\\$&');
  const pattern = escaped.replace(/\\\{(\w+)\\\}/g, '(?<$1>[\\d,.]*\\d)');
  return { name: name as keyof Problems, pattern: new RegExp(`^${pattern}$`) };
});

type Problems = ReturnType<typeof messagesFor>['transfers']['problems'];

/** A message of the API in a language; `undefined` for one that has no text there. */
export function problemIn(language: Language, message: string): string | undefined {
  for (const { name, pattern } of patterns) {
    const found = pattern.exec(message);
    if (found) return fill(messagesFor(language).transfers.problems[name], found, language);
  }
  return undefined;
}

const fill = (text: string, { groups = {} }: RegExpExecArray, language: Language) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) =>
    Number(groups[name]?.replaceAll(',', '')).toLocaleString(language),
  );
