import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const sources = globSync('src/**/*.{ts,tsx}')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.d.ts'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** The comments of a file that begin a line, as they stand there. */
const blocksOf = (text: string) =>
  text.matchAll(/^[ \t]*\{?\/\*\*?([\s\S]*?)\*\/|^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*/gm);

/** The comments of a file, each as one line of text. */
const commentsOf = (text: string) =>
  [...blocksOf(text)].map(([whole, block]) =>
    (block ?? whole)
      .replaceAll(/^[ \t]*(?:\*|\/\/)/gm, '')
      .replaceAll(/^[ \t]*- /gm, '• ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

const comments = sources.flatMap(({ file, text }) =>
  commentsOf(text).map((comment) => ({ file, comment })),
);

/**
 * A sentence ends with its mark and a space, or at an item of a list; a word has a letter or a
 * digit.
 */
const sentencesOf = (comment: string) => comment.split(/(?<=[.?!])\s+|\s*• /);
const wordsOf = (sentence: string) => sentence.split(' ').filter((word) => /[\p{L}\d]/u.test(word));

describe('the comments of src', () => {
  it('finds block comments and groups of line comments', () => {
    const text =
      "/** One.\n * Two. */\nconst a = 'b'; // no\n  // Three\n  // four.\n\n// Five.\n// - Six.\n";
    expect(commentsOf(text)).toEqual(['One. Two.', 'Three four.', 'Five. • Six.']);
    expect(comments.length).toBeGreaterThan(2_000);
  });

  it('name their subject or begin with a verb, never with "What"', () => {
    expect(comments.filter(({ comment }) => /^What\b/.test(comment))).toEqual([]);
  });

  it('have lines of at most 100 characters, but for a rule that lint must find on one', () => {
    const long = sources.flatMap(({ file, text }) =>
      [...blocksOf(text)]
        .flatMap(([comment]) =>
          comment.split('\n').filter((line) => line.length > 100 && !line.includes('// oxlint-')),
        )
        .map((line) => `${file}: ${line}`),
    );
    expect(long).toEqual([]);
  });

  it('have no sentence of over 25 words', () => {
    const long = comments.flatMap(({ file, comment }) =>
      sentencesOf(comment)
        .filter((sentence) => wordsOf(sentence).length > 25)
        .map((sentence) => `${file}: ${sentence}`),
    );
    expect(long).toEqual([]);
  });
});

describe('the exported names of src', () => {
  it('are declared in one file each', () => {
    const files = new Map<string, Set<string>>();
    for (const { file, text } of sources) {
      const declared = text.matchAll(
        /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
      );
      for (const [, name = ''] of declared)
        files.set(name, (files.get(name) ?? new Set()).add(file));
    }
    expect(files.size).toBeGreaterThan(1_000);
    expect([...files].filter(([, found]) => found.size > 1).map(([name]) => name)).toEqual([]);
  });
});
