import * as z from 'zod';
import { dateTime, recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import {
  knownSkuChoices,
  stockChoices,
  transferReasons,
  transferStates,
} from '../../data/schema/store/transfers-tables.ts';
import { transferWaits } from './transfer-forecast.ts';

const state = z
  .enum(transferStates)
  .describe(
    'waiting for its first step, running, paused until the next day, or at its end: done, cancelled or failed.',
  );

const reason = z
  .enum(transferReasons)
  .nullable()
  .describe(
    'Why it does not run: event_budget (goes on within seconds), requested (cancelled by a caller), access_ended (its credential was revoked), file_lost.',
  );

/** Where an unfinished job stands. */
const forecast = {
  waits_for: z
    .enum(transferWaits)
    .nullable()
    .describe(
      'What it waits for: earlier (a job of the same kind and store that began before), worker (its first lines, within a minute), event_budget (goes on within seconds), retry (goes on within minutes). Null while it runs and after its end.',
    ),
  waits_since: dateTime.nullable().describe('Since when it waits; null unless it does.'),
  per_second: z
    .number()
    .nullable()
    .describe('How many of total it did a second since it began; null until that is known.'),
  seconds_left: z
    .int()
    .nullable()
    .describe('How long it still takes at that speed; null until it is known and after its end.'),
};

/** The first fields of imports and exports. */
export const transferHead = { id: idOutput, state, reason, ...forecast };

/** The last fields of imports and exports. */
export const transferTimes = {
  finished_at: dateTime
    .nullable()
    .describe('When it ended; null while it goes on. Seven days later it is deleted.'),
  ...recordTimes,
};

/** The file of an import, and what came of its lines. */
const counts = {
  bytes: z.int().describe('Size of the file that was sent.'),
  total: z.int().describe('Lines of the file, blank ones not counted.'),
  done: z.int().describe('Lines that are dealt with so far, whatever came of them.'),
  created: z.int().describe('Lines that became new products.'),
  updated: z.int().describe('Lines that changed a product.'),
  unchanged: z.int().describe('Lines whose product was already so: nothing was written or sent.'),
  skipped: z
    .int()
    .describe(
      'Lines that were left out because of known_skus=skip: the store has one of their SKUs.',
    ),
  failed: z.int().describe('Lines that did not fit; their errors are listed under /errors.'),
  errors_left_out: z
    .int()
    .describe('Errors beyond the first 10,000, which are counted and not listed.'),
  stocks_set: z.int().describe('SKUs whose stock was set, with stock=set.'),
  stocks_left: z
    .int()
    .describe(
      'SKUs whose quantity in the file is not their stock, which stayed as it was, with stock=keep.',
    ),
  known_skus: z
    .enum(knownSkuChoices)
    .describe(
      'What it does with a line that names no product, but a SKU that the store has: refuse, change its product, or skip.',
    ),
  stock: z
    .enum(stockChoices)
    .describe('keep: SKUs that exist keep their stock. set: they get that of the file.'),
  product_events: boolOutput.describe(
    'Whether each product that is new or changed sends an event. catalog.import_completed is sent at the end in any case.',
  ),
};

/** A job that imports products. */
export const ImportSchema = z.object({ ...transferHead, ...counts, ...transferTimes }).meta({
  id: 'Import',
  description: 'A job that creates and updates products from the lines of a file.',
});

const ImporterSchema = z
  .object({ kind: z.enum(['user', 'api_key', 'app']), id: z.string() })
  .meta({ id: 'Importer' });

/* @__PURE__ */ explain(ImporterSchema, 'Who began an import.', {
  kind: 'user: a member on the pages; api_key and app: a program.',
  id: 'Which one: the number of the user or the key, or the client id of the app.',
});

/** `resource` of catalog.import_completed. */
export const ImportEventSchema = z
  .object({
    id: idOutput,
    state,
    reason,
    ...counts,
    begun_by: ImporterSchema,
    ...transferTimes,
    finished_at: dateTime,
  })
  .meta({ id: 'ImportEvent' });

/* @__PURE__ */ explain(ImportEventSchema, 'An import of products that has ended.', {
  state: 'How it ended: done, cancelled or failed. Lines that were done stay in any case.',
  reason:
    'Why it ended early: requested (cancelled by a caller), access_ended (its credential was revoked), file_lost; null if it is done.',
  done: 'Lines that were dealt with, whatever came of them; less than total if it ended early.',
  begun_by: 'Who began it, as the activity of the store names them.',
  finished_at: 'When it ended. Seven days later it is deleted.',
});

/* @__PURE__ */ explainEnum('TransferState', 'How far an import or export has come.', {
  waiting: 'Accepted, and not begun: it takes its turn among the stores.',
  running: 'Being worked on; done and total show how far.',
  paused: 'Stands still, and goes on by itself; reason says why.',
  done: 'Every line is dealt with. Lines of an import may have failed.',
  cancelled: 'Stopped before its end; reason says by whom. What was done stays.',
  failed: 'Cannot go on; reason says why. What was done stays.',
});

/* @__PURE__ */ explainEnum('TransferWait', 'What an unfinished import or export waits for.', {
  earlier: 'A job of the same kind and store that began before it.',
  worker: 'Its first lines, which follow within a minute.',
  event_budget: "The store's event budget of the day is used up: it goes on within seconds.",
  retry: 'Another attempt, after the database did not respond: within minutes.',
});

/* @__PURE__ */ explainEnum('ImporterKind', 'What began an import.', {
  user: 'A member, on the pages.',
  api_key: 'A program with an API key.',
  app: 'An app with a token.',
});

/* @__PURE__ */ explainEnum('TransferReason', 'Why an import or export does not run.', {
  event_budget: "The store's event budget of the day is used up: it goes on within seconds.",
  requested: 'A caller cancelled it.',
  access_ended: 'The key or the connection that began it was revoked.',
  file_lost: 'Its file is not stored any more. Send it again.',
});
