import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildWorker } from '../../support/node/runtime/bundle.ts';

const build = await buildWorker();

/**
 * Of the whole budget, what the texts of pages and mails have in three languages, in KiB. No
 * sentence is shortened for code.
 */
const textBudget = 114;

describe('the production bundle', () => {
  it('has texts of less than 114 KiB, which code neither takes from nor adds to', () => {
    expect(build.gzippedTextsKiB).toBeGreaterThan(textBudget / 2);
    expect(build.gzippedTextsKiB).toBeLessThan(textBudget);
  });

  it('weighs less than 480 KiB, with the budget of each later part, and contains no translations of zod', () => {
    const parts = {
      assistants: 90,
      'identity of apps': 4,
      'imports by page': 10,
      // Numbers of any country, encodings and limits of a file, refused cells with their texts in
      // three languages, and brands of a chunk.
      'tables of spreadsheets': 4,
      // The table, its pages in three languages, and what can be wrong with a row in two more.
      'exports by page': 5,
      // Statements for any number of rows, and what a job waits for, in three languages.
      'imports in bulk': 2,
      // The job, what /ready and the page of operators say of it, and its texts in three languages.
      'long changes': 3,
      // Its page in three languages, the headers of three formats, and the upkeep of the files.
      'logos of apps': 3,
      // Two thirds are texts and mails in three languages. The verification is own code: the
      // library that is kept weighs 84 KiB, and the small ones refuse good signatures or are no
      // longer maintained.
      passkeys: 10,
      // The form beside the password, its texts in three languages, and when a passkey is trusted
      // alone.
      'passkeys without a password': 1,
      // The fourteenth event, its form and what a chunk leaves out.
      'events of imports': 1,
      // A request sends its own event: the claim in the batch, the send and its result.
      'first sends of webhooks': 2,
      // What waits after a good ping or by hand, what failed in the log, and what replays and
      // deletions warn of.
      'webhooks that are tried now, and warnings': 5,
      // Half of it are the texts of a page in three languages.
      'one click that stops mails': 2,
      // A transaction of a part of the total, what live ones leave of it, and captures that reach
      // it.
      'payments in parts': 1,
      // Places of registrations by network, hosts as the parser reads them, with the names above
      // them.
      'assistants that are kept out, and those that are not': 1,
      // All of it are texts of mails in three languages.
      'mails to all operators': 1,
      // The forms of seven languages, and a refusal with an example for each kind that could mean
      // two instants.
      'dates as languages print them': 2,
      // Sets of characters by their properties, tags of blocks, references, and the letters that
      // NFKD leaves whole.
      'texts that look the same': 3,
      // Codings of a body, repetitions in another spelling, empty arrays for objects.
      'bodies as programs send them': 2,
      // What a former alias leads to, at the doors of keys, tokens, pages and assistants, and the
      // event and texts that tell of it.
      'former aliases of stores': 2,
      // The types that a client accepts, its transport of before 2026-07-28 in JSON, the spellings
      // of its address, and arguments as text.
      'assistants of every kind': 3,
      // Most of it are the texts of a form and a page in three languages.
      'webhooks that keep the order': 1,
      // Brackets, escapes, the spellings of addresses and codes, and the names of all filters with
      // the refusals of others.
      'queries as libraries write them': 3,
      // Its content as the query it stands for, in two formats.
      'lists by QUERY': 1,
      // A description of each refusal of a token, and what is wrong with a path, a text of JSON,
      // credentials and scopes.
      'errors that say which': 4,
      // Letters that fonts draw alike, words of three languages for the service, and where names
      // are compared.
      'names that imitate others': 2,
      // Texts in three languages: apps that stop with their member, and who is who beside names.
      'members without a second factor, and kinds beside names': 1,
      // A word for one call of one caller, the same call within minutes, dates as one text, and the
      // nearest names of what is unknown.
      'consent to one call, and what a model sees': 1,
      // The body of a form in steps, and its fields counted in the bytes.
      'forms that are read for users only': 0.5,
      // Statements that put back what the audit has, their list, and texts of a page and a mail in
      // three languages.
      'accounts that are taken back': 5,
      // The faces of a font with its fallback, and a table of webhooks with the bars of a day.
      'type, and webhooks as a table': 1,
      // Half of it are the names of records in three languages; the rest puts a line into the batch
      // of any change.
      'changes of assistants in the activity': 4,
      // A look at the SKUs of a table, stock that is set or moved, folded errors and the file of
      // failed rows. Two of it are texts.
      'sheets that are changed or sent again': 7,
      // The filters of a list in a body with their texts, exact percentages, outcomes with prices,
      // and the places of customers.
      'prices by a filter, and customers by place': 3.5,
      // Whom an act concerns, one key that is revoked, the language of a reader, and what each form
      // of operators says of its outcome.
      'people who are told, and can act': 5.5,
      // Two of it are texts of a form, a page and a mail in three languages; the rest counts what
      // would end.
      'all doors on one page': 3,
      // What wakes their sending at each cause, and the alert of deliveries that are late.
      'events of apps at once': 0.5,
      // A delivery, a first call and what merchants see, each made of the values of its page.
      'examples beside forms': 1,
    };
    const budget = Object.values(parts).reduce((sum, part) => sum + part, 480);
    expect(build.gzippedKiB - build.gzippedTextsKiB).toBeLessThan(budget - textBudget);
    // `import { z }` would pull them in: esbuild drops unused members of a namespace, but not of an
    // object.
    expect(readFileSync(build.script, 'utf8')).not.toContain('caractères');
  });

  it('contains no texts of `explain` and `explainBody`, which only the document needs', () => {
    // A call without `@__PURE__` would keep the function and its key.
    expect(readFileSync(build.script, 'utf8')).not.toMatch(/x-(?:fallback-)?meanings/);
  });
});
