import * as z from 'zod';
import { cleanFormLine } from '../../base/codecs/fields/normalize-text.ts';
import { notFound } from '../../base/errors.ts';
import { storePaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { tableLimits } from '../../catalog/transfers/csv.ts';
import { FileLost } from '../../catalog/transfers/line-reader.ts';
import type { ImportChoices } from '../../catalog/transfers/start-transfer.ts';
import {
  columns,
  isNumber,
  namesProduct,
  toLines,
  type Column,
} from '../../catalog/transfers/table-lines.ts';
import {
  decimalMarks,
  isOpen,
  readNumber,
  type NumberSpelling,
} from '../../catalog/transfers/table-numbers.ts';
import {
  TableLooker,
  type TableLook,
  loadTable,
  type WaitingTable,
} from '../../catalog/transfers/waiting-table.ts';
import { maxBrandName } from '../../data/schema/store/catalog-tables.ts';
import type { FieldView } from '../../web/forms/form-page.tsx';
import { fieldIssue, oneOf, sentText, ticked } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { openOwnStore } from '../open-own-store.ts';
import {
  beginImport,
  guessByLanguage,
  problemHeaders,
  streamOf,
  summaryField,
  weigh,
} from './imports.tsx';

const maxColumns = tableLimits.columns;

/** Loads a table that waits for the meaning of its columns. Throws 404 if it is gone. */
async function requireTable({ env, store, now }: SignedInPage, id: string): Promise<WaitingTable> {
  const table = await loadTable(env.ARCHIVE, store.id, id, now);
  if (!table) throw notFound();
  return table;
}

const columnField = (at: number) => `column_${at}`;
const markField = (at: number) => `mark_${at}`;

/** The name of a column of a table. */
const nameOf = ({ messages }: SignedInPage, header: string, at: number) =>
  header || messages.transfers.imports.columns.unnamed.replace('{number}', String(at + 1));

/** The question what the numbers of a column are, where its cells leave that open. */
function numberQuestion(
  page: SignedInPage,
  at: number,
  name: string,
  { doubtful }: NumberSpelling,
): FieldView {
  const t = page.messages.transfers.imports.columns;
  const meaningOf = (cell: string, mark: (typeof decimalMarks)[number]) => {
    const value = readNumber(cell, mark) ?? 0;
    const minimumFractionDigits = Number.isInteger(value) ? 0 : 2;
    const digits = { useGrouping: false, minimumFractionDigits, maximumFractionDigits: 20 };
    const shown = value.toLocaleString(page.language, digits);
    return t.reading.replace('{cell}', () => cell).replace('{value}', shown);
  };
  return {
    name: markField(at),
    label: t.doubtful.replace('{column}', () => name),
    type: 'radio',
    options: decimalMarks.map((mark) => ({
      value: mark,
      text: doubtful.map((cell) => meaningOf(cell, mark)).join('; '),
    })),
  };
}

/** The questions that the rows of a table leave open. */
function questions(
  page: SignedInPage,
  { known, stock, since }: TableLook,
  chosen: readonly (Column | undefined)[],
): FieldView[] {
  const t = page.messages.transfers.imports.columns;
  const write = (count: number) => count.toLocaleString(page.language);
  const units = t.stockUnits
    .replace('{table}', write(stock.inTable))
    .replace('{store}', write(stock.inStore));
  const moved =
    since && since.rows > 0
      ? t.stockSince.replace('{rows}', write(since.rows)).replace('{units}', write(since.units))
      : '';
  return [
    ...(known > 0 && chosen.some(namesProduct)
      ? [
          {
            name: 'known_skus',
            label: t.known.replace('{rows}', write(known)),
            type: 'radio' as const,
            options: [
              { value: 'change', text: t.knownChange },
              { value: 'skip', text: t.knownSkip },
            ],
          },
        ]
      : []),
    ...(stock.rows > 0 && chosen.includes('quantity')
      ? [
          {
            name: 'stock',
            label: t.stock.replace('{rows}', write(stock.rows)),
            hint: `${units} ${moved}`.trim(),
            type: 'radio' as const,
            options: [
              { value: 'keep', text: t.stockKeep },
              ...(since
                ? [{ value: 'changes', text: t.stockChanges, meaning: t.stockChangesMeaning }]
                : []),
              {
                value: 'exact',
                text: t.stockExact,
                ...(since && { meaning: t.stockExactMeaning }),
              },
            ],
          },
        ]
      : []),
  ];
}

/** The names of the columns of a table that an import does not read. */
const unusedColumns = (
  page: SignedInPage,
  { columns: found }: WaitingTable,
  chosen: readonly (Column | undefined)[],
) =>
  found.flatMap(({ header }, at) => (chosen[at] === undefined ? [nameOf(page, header, at)] : []));

/**
 * `/account/stores/{alias}/tables/{file}`: what each column of an uploaded table is, and the start
 * of its import.
 */
export const importColumnsForm = userForm({
  role: Role.manager,
  part: 'store/imports',
  limit: 'pages',
  path: storePaths.importColumns(':alias', ':file'),
  async load(page, sent) {
    const table = await requireTable(page, page.param('file'));
    const chosen = sent
      ? chosenColumns(Object.fromEntries(sent))
      : guessByLanguage(table.columns.map(({ header }) => header));
    return { table, chosen };
  },
  fields: ({ transfers: { imports } }) => {
    const t = imports.columns;
    const shape = Object.fromEntries(
      Array.from({ length: maxColumns }, (_, at) => [columnField(at), markField(at)])
        .flat()
        .map((name) => [name, sentText]),
    );
    return z
      .object({
        ...shape,
        known_skus: sentText,
        stock: sentText,
        active: oneOf(['yes', 'no'], t.active),
        brand: sentText,
        summary: ticked,
      })
      .check(({ value, issues }) => {
        const chosen = chosenColumns(value);
        for (const [at, column] of chosen.entries()) {
          if (column === undefined || column === 'variation') continue;
          if (chosen.indexOf(column) < at) issues.push(fieldIssue('', t.repeated, columnField(at)));
        }
        if (!chosen.some((column) => namesProduct(column) || column === 'sku'))
          issues.push(fieldIssue('', t.nameless, columnField(0)));
      });
  },
  view(page, { table, chosen }, look: TableLook | undefined = table.look) {
    const t = page.messages.transfers.imports.columns;
    const problems = problemHeaders(page.language);
    const unused = unusedColumns(page, table, chosen);
    const options = [
      { value: '', text: t.leaveOut },
      ...columns.map((column) => ({ value: column, text: t.names[column] })),
    ];
    const fields = table.columns.flatMap(({ header, example, numbers }, at): FieldView[] => {
      const label = nameOf(page, header, at);
      const isAsked = isNumber(chosen[at]) && isOpen(numbers);
      const shown = example && t.example.replace('{example}', () => example);
      return [
        {
          name: columnField(at),
          label,
          hint: problems.includes(header) ? t.problem : shown,
          type: 'select',
          options,
          value: chosen[at] ?? '',
        },
        ...(isAsked ? [numberQuestion(page, at, label, numbers)] : []),
      ];
    });
    return {
      title: t.title,
      paragraphs: [
        t.lead.replace('{rows}', table.rows.toLocaleString(page.language)),
        ...(unused.length > 0 ? [t.unused.replace('{columns}', () => unused.join(', '))] : []),
      ],
      fields: [
        ...(look ? questions(page, look, chosen) : []),
        ...fields,
        {
          name: 'active',
          label: t.active,
          type: 'radio',
          options: [
            { value: 'yes', text: t.activeYes },
            { value: 'no', text: t.activeNo },
          ],
          value: 'yes',
        },
        { name: 'brand', label: t.brand, hint: t.brandHint, type: 'text', isOptional: true },
        summaryField(page.messages.transfers.imports, page.query('summary') === 'yes'),
      ],
      submit: t.start,
      back: storePaths.imports(page.store.alias),
    };
  },
  async submit(page, values) {
    const { db } = openOwnStore(page);
    const t = page.messages.transfers.imports.columns;
    const file = page.param('file');
    const table = await requireTable(page, file);
    const chosen = chosenColumns(values).slice(0, table.columns.length);
    const marks = table.columns.map(({ numbers }, at) =>
      isNumber(chosen[at]) && isOpen(numbers) ? chosenMark(values, at) : (numbers.mark ?? '.'),
    );
    await weigh(page, table.bytes);
    const looker = new TableLooker(chosen);
    if (chosen.includes('sku')) for await (const { cells } of rowsOf(table)) looker.add(cells);
    const { look, productOf } = await looker.look(db, marks);
    const asked = new Set(questions(page, look, chosen).map(({ name }) => name));
    const open = [
      ...(asked.has('known_skus') && !['change', 'skip'].includes(values.known_skus)
        ? [{ field: 'known_skus', text: t.knownMissing }]
        : []),
      ...(asked.has('stock') && !['keep', 'changes', 'exact'].includes(values.stock)
        ? [{ field: 'stock', text: t.stockMissing }]
        : []),
      ...table.columns.flatMap(({ header }, at) => {
        const text = t.doubtfulMissing.replace('{column}', () => nameOf(page, header, at));
        return marks[at] === undefined ? [{ field: markField(at), text }] : [];
      }),
    ];
    if (open.length > 0) return { errors: open, note: look };
    const isNamed = chosen.some(namesProduct);
    const brands = new Set<string>();
    const lines = toLines(table.read(), {
      brands,
      header: table.columns.map(({ header }) => header),
      columns: chosen,
      marks,
      setsExactly: values.stock === 'exact',
      active: values.active === 'yes',
      brand: cleanFormLine(values.brand, maxBrandName) || undefined,
      productOf: isNamed ? undefined : productOf,
    });
    const sent = { body: streamOf(lines), headers: new Headers() };
    const known = isNamed ? values.known_skus : 'change';
    const choices: ImportChoices = {
      product_events: !values.summary,
      from_table: true,
      known_skus: known === 'change' || known === 'skip' ? known : 'refuse',
      stock: asked.has('stock') && values.stock !== 'keep' ? 'set' : 'keep',
      unused_columns: unusedColumns(page, table, chosen),
    };
    return beginImport(page, sent, choices, { id: file, brands });
  },
});

/** The rows of a table; a 404 if another one has taken its place. */
async function* rowsOf(table: WaitingTable) {
  try {
    yield* table.read();
  } catch (error) {
    throw error instanceof FileLost ? notFound() : error;
  }
}

/** The chosen column of each place; `undefined` for one that is left out. */
const chosenColumns = (values: Readonly<Record<string, unknown>>): (Column | undefined)[] =>
  Array.from({ length: maxColumns }, (_, at) => {
    const sent = values[columnField(at)];
    return columns.find((column) => column === sent);
  });

/** The answer to the question what the numbers of a column are. */
const chosenMark = (values: Readonly<Record<string, unknown>>, at: number) =>
  decimalMarks.find((mark) => mark === values[markField(at)]);
