import { indexedTables, kindsPerId } from '../src/data/schema/store/text-index.ts';

/**
 * The full-text index without its texts. `detail=none` keeps no positions, as a match is compared
 * with the record anyway, and `secure-delete` removes what was deleted at once, such as the name of
 * an anonymized customer.
 */
const createIndex = [
  "CREATE VIRTUAL TABLE `text_index` USING fts5(trigrams, content='', detail=none, tokenize='ascii');",
  "INSERT INTO `text_index` (`text_index`, `rank`) VALUES ('secure-delete', 1);",
];

/**
 * The trigrams of a text, each marked with its letter and its store: a search never reads the index
 * of another store.
 */
function trigrams(row: 'OLD' | 'NEW', letter: string, column: string, kind: number): string {
  const text = `${row}.\`${column}\``;
  // json_each makes one row per position: an array of as many zeros as the text has trigrams.
  const positions = `'[' || substr(replace(hex(zeroblob(max(length(${text}) - 2, 0))), '00', ',0'), 2) || ']'`;
  return `(SELECT group_concat('${letter}${kind}s' || ${row}.\`store_id\` || 'x' || hex(substr(${text}, \`key\` + 1, 3)), ' ') FROM json_each(${positions}))`;
}

/**
 * Triggers that keep a table in the index. Each is one line: the deployment splits files at line
 * ends.
 */
function tableTriggers(table: string): string[] {
  const indexed = indexedTables[table];
  if (!indexed) return [];
  const { kind, texts, sources, isOptional } = indexed;
  const document = (row: 'OLD' | 'NEW') =>
    `concat_ws(' ', ${Object.entries(texts)
      .map(([letter, column]) => trigrams(row, letter, column, kind))
      .join(', ')})`;
  const rowid = (row: 'OLD' | 'NEW') => `${row}.\`id\` * ${kindsPerId} + ${kind}`;
  const remove = `INSERT INTO \`text_index\` (\`text_index\`, \`rowid\`, \`trigrams\`) VALUES ('delete', ${rowid('OLD')}, ${document('OLD')});`;
  const add = `INSERT INTO \`text_index\` (\`rowid\`, \`trigrams\`) VALUES (${rowid('NEW')}, ${document('NEW')});`;
  const quoted = sources.map((column) => `\`${column}\``).join(', ');
  const changed = sources
    .map((column) => `NEW.\`${column}\` IS NOT OLD.\`${column}\``)
    .join(' OR ');
  if (isOptional) return optionalTriggers(table, { remove, add, text: quoted });
  return [
    `CREATE TRIGGER \`${table}_text_insert\` AFTER INSERT ON \`${table}\` BEGIN ${add} END;`,
    `CREATE TRIGGER \`${table}_text_update\` AFTER UPDATE OF ${quoted} ON \`${table}\` WHEN ${changed} BEGIN ${remove} ${add} END;`,
    `CREATE TRIGGER \`${table}_text_delete\` AFTER DELETE ON \`${table}\` BEGIN ${remove} END;`,
  ];
}

/** The triggers of a table whose only text may be null: a record without it has no row to write. */
function optionalTriggers(
  table: string,
  { remove, add, text }: { remove: string; add: string; text: string },
): string[] {
  const ifNotNull = (statement: string, row: 'OLD' | 'NEW') =>
    statement.replace(/ VALUES \((.*)\);$/, ` SELECT $1 WHERE ${row}.${text} IS NOT NULL;`);
  return [
    `CREATE TRIGGER \`${table}_text_insert\` AFTER INSERT ON \`${table}\` WHEN NEW.${text} IS NOT NULL BEGIN ${add} END;`,
    `CREATE TRIGGER \`${table}_text_update\` AFTER UPDATE OF ${text} ON \`${table}\` WHEN NEW.${text} IS NOT OLD.${text} BEGIN ${ifNotNull(remove, 'OLD')} ${ifNotNull(add, 'NEW')} END;`,
    `CREATE TRIGGER \`${table}_text_delete\` AFTER DELETE ON \`${table}\` WHEN OLD.${text} IS NOT NULL BEGIN ${remove} END;`,
  ];
}

/**
 * The statements that complete a migration which creates these tables. The index itself comes with
 * the first of them.
 */
export function textIndexStatements(created: readonly string[]): string[] {
  const tables = Object.keys(indexedTables).filter((table) => created.includes(table));
  const isFirst = tables.includes('products');
  return [...(isFirst ? createIndex : []), ...tables.flatMap(tableTriggers)];
}
