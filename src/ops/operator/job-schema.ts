import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { jobKinds, jobStates } from '../../data/schema/directory/operators-tables.ts';

export const JobSchema = z
  .object({
    id: idOutput,
    kind: z.enum(jobKinds),
    shard: z.int(),
    store_id: z.int().nullable(),
    user_id: z.int().nullable(),
    state: z.enum(jobStates),
    done: z.int(),
    total: z.int(),
    due_at: dateTime.nullable(),
    requested_by: z.int().nullable(),
    confirmed_by: z.int().nullable(),
    confirmed_at: dateTime.nullable(),
    created_at: dateTime,
    finished_at: dateTime.nullable(),
    result: z
      .object({
        url: z
          .string()
          .nullable()
          .describe(
            'Where the file of an export is, for a week; null for other kinds, and afterwards.',
          ),
        counts: z
          .record(z.string(), z.int())
          .describe(
            'How many records of each kind were exported or erased, or rows or stores moved.',
          ),
      })
      .nullable(),
    error: z.string().nullable(),
  })
  .meta({ id: 'Job' });

/* @__PURE__ */ explain(
  JobSchema,
  'Long work on a store, a user or a shard, which goes on after the response.',
  {
    kind: 'What is done.',
    shard: 'Number of the database that does the work, or that is emptied.',
    store_id: 'Store that it is about; null for work on a user or a shard.',
    user_id: 'User whom it is about; null for other work.',
    state:
      'waiting for its first step or its day, running, or at its end: done, failed or cancelled.',
    done: 'How much is done: records, steps of a move, stores of a shard, or long changes.',
    total: 'How much there is to do, as far as that is known.',
    due_at:
      'When its next step is due: for an erasure the day, or the end of the time to confirm it; null once it has ended.',
    requested_by: 'User who asked for it; null for the service itself.',
    confirmed_by:
      'Operator who confirmed an immediate erasure; null until then, and for other kinds.',
    confirmed_at: 'When it was confirmed; null until then, and for other kinds.',
    created_at: 'When it was asked for.',
    finished_at: 'When it ended; null until then.',
    result: 'What it led to; null until it is done.',
    error: 'Why it failed, or why its last step is tried again; null otherwise.',
  },
);

/* @__PURE__ */ explainEnum('JobKind', 'What long work does.', {
  store_export: 'Writes everything that a store has into files.',
  store_erasure: 'Erases everything that a store has.',
  immediate_erasure:
    'The same without 30 days of closing: another operator confirms it, and a day later it begins.',
  store_move: 'Takes a store to another database.',
  store_restore: 'Restores a store from a copy.',
  shard_change: 'Makes the long changes of a release in a database.',
  shard_copy: 'Copies the stores of a database that have changed, each night.',
  test_store_fill: 'Empties a test store, and fills it with test products.',
  shard_drain: 'Takes all stores of a database to others.',
  second_factor_removal: 'Removes the two-step sign-in of a user, after a day to object.',
});

/* @__PURE__ */ explainEnum('JobState', 'How far long work is.', {
  waiting: 'It begins within a minute, or on its day.',
  running: 'It goes on; done and total say how far.',
  done: 'It has ended, with a result.',
  failed: 'It has ended without one; error says why.',
  cancelled: 'It was ended before its result.',
});
