import { sql, type SQL } from 'drizzle-orm';
import type { AuditChanges } from '../schema/columns.ts';

/** Stands for a value that the audit never shows. */
const changed = [null, 'changed'] as const;

/**
 * Compares the fields of a change with a record and returns those that differ, before and after. Of
 * the fields in `hidden` it says only that they changed.
 */
export function changedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  hidden: Readonly<Record<string, string>> = {},
): AuditChanges {
  const names = Object.keys(after).filter(
    (name) => after[name] !== undefined && !isSame(before[name], after[name]),
  );
  return Object.fromEntries(
    names.map((name) => {
      const shownAs = hidden[name];
      return shownAs === undefined
        ? [name, [before[name] ?? null, after[name] ?? null]]
        : [shownAs, changed];
    }),
  );
}

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** A field as a batch finds it. Both are SQL values, JSON with `isJson`. */
export interface FieldInBatch {
  name: string;
  before: SQL;
  after: SQL;
  isJson?: boolean;
  /** Says only that the field changed. */
  isHidden?: boolean;
}

/** The condition that one of these fields will change. */
export const anyChanges = (fields: readonly FieldInBatch[]): SQL =>
  sql.join(
    fields.map(({ before, after }) => sql`${before} is not ${after}`),
    sql` or `,
  );

/** SQL of the changes of these fields, as JSON, for a line that is written before the change. */
export function changesInBatch(fields: readonly FieldInBatch[]): SQL {
  const pairs = fields.map(({ name, before, after, isJson = false, isHidden = false }) => {
    const value = (expression: SQL) => (isJson ? sql`json(${expression})` : expression);
    const shown = isHidden
      ? sql`json_array(null, 'changed')`
      : sql`json_array(${value(before)}, ${value(after)})`;
    return sql`select ${name} as name, ${shown} as pair where ${before} is not ${after}`;
  });
  return sql`(select json_group_object(name, json(pair)) from (${sql.join(pairs, sql` union all `)}))`;
}
