import type { LongChange } from '../src/data/shards/long-changes.ts';
import { splitMigration, type TableColumns } from './complete-migration.ts';

/** D1 refuses a longer statement. */
const maxStatementBytes = 100_000;

/**
 * Statements that a deployed D1 does not run as the local one does, each with what to do instead.
 */
const hazards: readonly [RegExp, string][] = [
  [/\r/, 'has CRLF line ends: write LF'],
  [/^CREATE (?:TEMP )?TRIGGER[\s\S]*\n/i, 'is a trigger of several lines: write it on one line'],
  [/^CREATE (?:TEMP )?TRIGGER.*\bCASE\b/i, 'is a trigger with CASE, whose END ends it: use WHEN'],
  [/^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|END)\b/i, 'opens or ends a transaction'],
  [/^PRAGMA foreign_keys/i, 'sets foreign_keys, which D1 ignores: use defer_foreign_keys'],
  [
    /^ALTER TABLE (?!\W?__new_).*\bRENAME\b/is,
    'renames what the release before still reads: add a new one',
  ],
  [
    /^ALTER TABLE\b.*\bADD\b(?=.*\bNOT NULL\b)(?!.*\bDEFAULT\b)/is,
    'adds a column NOT NULL without a default, which only an empty table accepts',
  ],
];

/** Whether a trigger lacks the words, in capitals, by which D1 finds its end. */
const isOpenTrigger = (statement: string) =>
  /^CREATE (?:TEMP )?TRIGGER/i.test(statement) && !/ BEGIN .*; END;$/s.test(statement);

/** A name in SQL, with or without quotes. */
const named = '[`"\\[]?(\\w+)[`"\\]]?';

/** Statements whose time grows with the rows of a table, which `named` captures. */
const scans = [
  `^CREATE (?:UNIQUE )?INDEX(?: IF NOT EXISTS)? ${named} ON ${named}`,
  `^UPDATE (?:OR \\w+ )?${named}`,
  `^DELETE FROM ${named}`,
  `^(?:INSERT|REPLACE)\\b.*\\bSELECT\\b.*?\\bFROM ${named}`,
  `^ALTER TABLE ${named} DROP`,
  `^DROP TABLE(?: IF EXISTS)? ${named}`,
].map((text) => new RegExp(text, 'is'));

/** Tables that never have more than some hundred rows. */
const smallTables = new Set([
  'incoming_moves',
  'long_changes',
  'outgoing_moves',
  'resealings',
  'schema_version',
  'sequences',
  'shard_identity',
  'shards',
  'timer_bounds',
]);

/** The longest time that a statement may take on the largest table: half of what D1 gives it. */
const maxMeasuredSeconds = 15;

/**
 * Tables that a file creates, or on which its statements were measured
 * (`-- measured: products 4 s`).
 */
function findBoundedTables(sql: string): Set<string> {
  const created = [...sql.matchAll(/^CREATE TABLE(?: IF NOT EXISTS)? [`"]?(\w+)/gim)];
  const measured = [...sql.matchAll(/^-- measured: (\w+) (\d+) s$/gm)].filter(
    ([, , seconds]) => Number(seconds) <= maxMeasuredSeconds,
  );
  return new Set([...smallTables, ...[...created, ...measured].map(([, table = '']) => table)]);
}

/**
 * The object that a `DROP` removes: a table, or a column of one. `undefined` for other statements.
 */
export function findDropped(statement: string): { table: string; column?: string } | undefined {
  const [, table] = /^DROP TABLE(?: IF EXISTS)? [`"]?(\w+)/i.exec(statement) ?? [];
  if (table !== undefined) return { table };
  const [, of, column] =
    /^ALTER TABLE [`"]?(\w+)[`"]? DROP (?:COLUMN )?[`"]?(\w+)/i.exec(statement) ?? [];
  return of === undefined || column === undefined ? undefined : { table: of, column };
}

/** Whether a statement drops what stands in `columns`: those that the release before reads. */
export function isEarlyDrop(statement: string, columns: TableColumns): boolean {
  const dropped = findDropped(statement);
  const known = dropped && columns.get(dropped.table);
  return known !== undefined && (dropped?.column === undefined || known.includes(dropped.column));
}

const withoutComments = (statement: string) => statement.replace(/^(?:\s*--[^\n]*\n)+/, '').trim();

/**
 * Returns what would go wrong with the statements of a migration on a deployed D1. Empty if
 * nothing. `before` has the columns of the release before, which serves while the databases are
 * migrated.
 */
export function findHazards(sql: string, before: TableColumns = new Map()): string[] {
  const bounded = findBoundedTables(sql);
  return splitMigration(sql).flatMap((text) => {
    const statement = withoutComments(text);
    const scanned = scans.flatMap((pattern) => pattern.exec(statement)?.at(-1) ?? []);
    const problems = [
      ...hazards.flatMap(([pattern, problem]) => (pattern.test(statement) ? [problem] : [])),
      ...(isOpenTrigger(statement)
        ? ['is a trigger without BEGIN, or that does not end with "END;", in capitals']
        : []),
      ...scanned
        .filter((table) => !bounded.has(table) && !table.startsWith('__new_'))
        .map(
          (table) =>
            `reads every row of ${table}: a long change (README.md), or --measured ${table}=SECONDS of the largest`,
        ),
      ...(isEarlyDrop(statement, before) ? ['drops what the release before still reads'] : []),
      ...(Buffer.byteLength(statement) > maxStatementBytes
        ? [`is longer than ${maxStatementBytes} bytes`]
        : []),
    ];
    const name = statement.slice(0, 60).replaceAll(/\s+/g, ' ');
    return problems.map((problem) => `${name} ... ${problem}`);
  });
}

/**
 * Returns what is wrong with the declared long changes. The release that relies on one comes after
 * the one that declares it, so that it is finished between them.
 */
export const findChangeProblems = (changes: readonly LongChange[]): string[] => [
  ...changes.flatMap(({ name }, index) =>
    changes.findIndex((other) => other.name === name) === index
      ? []
      : [`${name} is declared twice`],
  ),
  ...changes.flatMap(({ name, since, neededFrom, replaces = [] }) => [
    ...(neededFrom !== undefined && neededFrom <= since
      ? [`${name} is needed by the release that declares it: neededFrom must be later than since`]
      : []),
    ...(neededFrom === undefined && replaces.length > 0
      ? [`${name} replaces ${replaces.join(', ')}, but no release needs it: set neededFrom`]
      : []),
  ]),
];

/**
 * Whether a `DROP` must wait: a long change still reads it, until the release that relies on the
 * change.
 */
export const isReadByChange = (
  statement: string,
  changes: readonly LongChange[],
  version: number,
): boolean => {
  const { table, column } = findDropped(statement) ?? {};
  const isDropped = (name: string) =>
    name === table ||
    (column === undefined ? name.startsWith(`${table}.`) : name === `${table}.${column}`);
  return changes.some(
    ({ neededFrom, replaces = [] }) =>
      (neededFrom ?? Infinity) > version && replaces.some(isDropped),
  );
};

/** Whether a statement creates an index that a long change creates instead. */
export const isLeftToChange = (statement: string, changes: readonly LongChange[]): boolean => {
  const [, index] = /^CREATE INDEX [`"]?(\w+)/i.exec(withoutComments(statement)) ?? [];
  return changes.some(({ steps }) => steps.some((step) => 'index' in step && step.index === index));
};

/** The tables that a migration would rebuild: copy to a new table, row by row. */
export const findRebuiltTables = (sql: string): string[] =>
  [...sql.matchAll(/^CREATE TABLE `__new_(\w+)`/gm)].map(([, table = '']) => table);
