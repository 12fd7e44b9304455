import * as z from 'zod';
import { idOutput } from '../../codecs/fields/ids.ts';
import { dateTime, recordTimes } from '../../codecs/time/date-time.ts';
import { transferReasons, transferStates } from '../../db/schema/store/transfers.ts';

const state = z
  .enum(transferStates)
  .describe(
    'waiting for its first turn, running, paused until the next day, or at its end: done, cancelled or failed.',
  );

const reason = z
  .enum(transferReasons)
  .nullable()
  .describe(
    'Why it does not run: event_budget (goes on tomorrow, UTC), requested (cancelled by a caller), access_ended (its credential was revoked), file_lost.',
  );

const finishedAt = dateTime
  .nullable()
  .describe('When it ended; null while it goes on. Seven days later it is deleted.');

/** A job that imports products. */
export const ImportSchema = z
  .object({
    id: idOutput,
    state,
    reason,
    bytes: z.int().describe('Size of the file that was sent.'),
    total: z.int().describe('Lines of the file, blank ones not counted.'),
    done: z.int().describe('Lines that are dealt with so far, whatever came of them.'),
    created: z.int().describe('Lines that became new products.'),
    updated: z.int().describe('Lines that changed a product.'),
    unchanged: z.int().describe('Lines whose product was already so: nothing was written or sent.'),
    failed: z.int().describe('Lines that did not fit; their errors are listed under /errors.'),
    errors_left_out: z
      .int()
      .describe('Errors beyond the first 10,000, which are counted and not listed.'),
    finished_at: finishedAt,
    ...recordTimes,
  })
  .meta({
    id: 'Import',
    description: 'A job that creates and updates products from the lines of a file.',
  });

/** What was wrong with a line of an import. */
export const ImportErrorSchema = z
  .object({
    id: idOutput,
    line: z.int().describe('Number of the line in the file, counted from 1 with blank lines.'),
    field: z.string().describe('Dotted path of the field, such as skus.0.sku; line for all of it.'),
    message: z.string().describe('What the value must be.'),
    ...recordTimes,
  })
  .meta({ id: 'ImportError', description: 'Why a line of a file was not imported.' });

/** A job that exports products. */
export const ExportSchema = z
  .object({
    id: idOutput,
    state,
    reason,
    bytes: z.int().describe('Size of the file as far as it is written.'),
    total: z
      .int()
      .describe('Products of the store when the job began; those of the file when it is done.'),
    done: z.int().describe('Products that are in the file so far.'),
    with_stock: z
      .boolean()
      .describe('Whether SKUs have quantity: the caller who began the job had inventory.read.'),
    finished_at: finishedAt,
    ...recordTimes,
  })
  .meta({ id: 'Export', description: 'A job that writes all products of the store into a file.' });
