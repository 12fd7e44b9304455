import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildWorker } from '../../support/node/runtime/bundle.ts';

const build = await buildWorker();

/** Of the whole budget, what the texts of pages and mails have in three languages, in KiB. No sentence is shortened for code. */
const textBudget = 96;

describe('the production bundle', () => {
  it('has texts of less than 96 KiB, which code neither takes from nor adds to', () => {
    expect(build.gzippedTextsKiB).toBeGreaterThan(textBudget / 2);
    expect(build.gzippedTextsKiB).toBeLessThan(textBudget);
  });

  it('weighs less than 480 KiB, with the budget of each later part, and contains no translations of zod', () => {
    const parts = {
      assistants: 90,
      'identity of apps': 4,
      'imports by page': 10,
      // The table, its pages in three languages, and what can be wrong with a row in two more.
      'exports by page': 5,
      // Statements for any number of rows, and what a job waits for, in three languages.
      'imports in bulk': 2,
      // The job, what /ready and the page of operators say of it, and its texts in three languages.
      'long changes': 3,
      // Its page in three languages, the headers of three formats, and the upkeep of the files.
      'logos of apps': 3,
      // Two thirds are texts and mails in three languages. The verification is own code: the library that is kept
      // weighs 84 KiB, and the small ones refuse good signatures or are no longer maintained.
      passkeys: 10,
      // The form beside the password, its texts in three languages, and when a passkey is trusted alone.
      'passkeys without a password': 1,
      // The fourteenth event, its form and what a chunk leaves out.
      'events of imports': 1,
      // Two operations with their forms, the alert to a forgotten pause, its texts in three languages.
      'pauses of long changes': 2,
      // A request sends its own event: the claim in the batch, the send and its result.
      'first sends of webhooks': 2,
      // Half of it are the texts of a mail, a form and a page in three languages.
      'changelog by mail, and one click that stops mails': 3,
      // Who gets which request, what is remembered of it, and the answer while a region is down; how long it may be silent, also
      // while it takes a body, how it is passed by, and its readiness.
      'a Worker in each region': 3,
    };
    const budget = Object.values(parts).reduce((sum, part) => sum + part, 480);
    expect(build.gzippedKiB - build.gzippedTextsKiB).toBeLessThan(budget - textBudget);
    // `import { z }` would pull them in: esbuild drops unused members of a namespace, but not of an object.
    expect(readFileSync(build.script, 'utf8')).not.toContain('caractères');
  });

  it('contains no texts of `explain`, which only the document needs', () => {
    // A call without `@__PURE__` would keep the function and its key.
    expect(readFileSync(build.script, 'utf8')).not.toContain('x-meanings');
  });
});
