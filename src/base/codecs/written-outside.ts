import type * as z from 'zod';

/** The key of the mark in the metadata of a schema, and in the published JSON schema. */
export const writerKey = 'x-written-by';

/**
 * Marks a text of an answer that people outside the store write: buyers, guests, their banks,
 * receivers of webhooks, and programs that name themselves. Of a record, all its texts. A model
 * reads them with a mark.
 */
export const writtenOutside = <S extends z.ZodType>(schema: S): S =>
  schema.meta({ [writerKey]: 'outside' });
