import { splitMigration } from './complete-migration.ts';

/** D1 refuses a longer statement. */
const maxStatementBytes = 100_000;

/** Statements that a deployed D1 does not run as the local one does, each with what to do instead. */
const hazards: readonly [RegExp, string][] = [
  [/\r/, 'has CRLF line ends: write LF'],
  [/^CREATE (?:TEMP )?TRIGGER[\s\S]*\n/i, 'is a trigger of several lines: write it on one line'],
  [/^CREATE (?:TEMP )?TRIGGER.*\bCASE\b/i, 'is a trigger with CASE, whose END ends it: use WHEN'],
  [/^CREATE (?:TEMP )?TRIGGER(?!.*; END;$)/, 'is a trigger that does not end with "END;"'],
  [/^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/i, 'opens or ends a transaction'],
  [/^PRAGMA foreign_keys/i, 'sets foreign_keys, which D1 ignores: use defer_foreign_keys'],
];

/** Returns what would go wrong with the statements of a migration on a deployed D1. Empty if nothing. */
export function findHazards(sql: string): string[] {
  return splitMigration(sql).flatMap((statement) => {
    const name = statement.slice(0, 60).replaceAll(/\s+/g, ' ');
    const found = hazards.flatMap(([pattern, problem]) =>
      pattern.test(statement) ? [`${name} ... ${problem}`] : [],
    );
    return Buffer.byteLength(statement) > maxStatementBytes
      ? [...found, `${name} ... is longer than ${maxStatementBytes} bytes`]
      : found;
  });
}

/** The tables that a migration would rebuild: copy to a new table, row by row. */
export const findRebuiltTables = (sql: string): string[] =>
  [...sql.matchAll(/^CREATE TABLE `__new_(\w+)`/gm)].map(([, table = '']) => table);
