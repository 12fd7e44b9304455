import { describe, expect, it } from 'vitest';
import { languages } from '../../src/base/languages.ts';
import { messagesFor } from '../../src/web/texts/messages.ts';

/** The texts that say what a form did: by the names that pages give to them. */
function outcomesIn(
  messages: unknown,
  path: readonly string[] = [],
): (readonly [string, string])[] {
  if (typeof messages !== 'string') {
    return Object.entries(messages as object).flatMap(([key, inner]) =>
      outcomesIn(inner, [...path, key]),
    );
  }
  const [key = '', parent = ''] = path.toReversed();
  // Words of states, and a button, are none.
  const isOutcome =
    parent === 'flash' ||
    parent === 'created' ||
    path.join('.') === 'operator.done' ||
    /^(?:done|saved|ended|removed|added|forgotten|cancelled|switchedOff)$/.test(key);
  const isState =
    /(?:states|statuses)$/i.test(parent) || parent === 'installs' || parent === 'secret';
  return isOutcome && !isState ? [[path.join('.'), messages]] : [];
}

describe.each(languages)('what a form did, in %s', (language) => {
  const outcomes = outcomesIn(messagesFor(language));

  it('is known of many forms', () => {
    expect(outcomes.length).toBeGreaterThan(60);
  });

  it('names what was done, and is never a bare "Done." or "Saved."', () => {
    const bare = outcomes.filter(([, text]) => text.trim().split(/\s+/).length < 3);
    expect(bare).toEqual([]);
  });
});

it('each action of operators says what was done and what follows', () => {
  for (const language of languages) {
    const { actions } = messagesFor(language).operator;
    const texts = Object.values(actions).map(({ done }) => done);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text.length).toBeGreaterThan(15);
  }
});
