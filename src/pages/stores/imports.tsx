import * as z from 'zod';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import { languages, type Language } from '../../base/languages.ts';
import { storePaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { decodeTable, formatRow, tableLimits, TableFault } from '../../catalog/transfers/csv.ts';
import { failedRows } from '../../catalog/transfers/failed-rows.ts';
import { FileLost, type LineError } from '../../catalog/transfers/line-reader.ts';
import { countMissing } from '../../catalog/transfers/new-brands.ts';
import {
  receiveFile,
  startImport,
  type ImportChoices,
} from '../../catalog/transfers/start-transfer.ts';
import {
  columnOfField,
  guessColumns,
  isNumber,
  type Column,
} from '../../catalog/transfers/table-lines.ts';
import type { RankedTransfer } from '../../catalog/transfers/transfer-forecast.ts';
import { isFinished, type Transfer } from '../../catalog/transfers/transfer-job.ts';
import {
  cancelTransfer,
  findTransfer,
  firstErrors,
  foldedErrors,
  latestTransfers,
  type FoldedError,
} from '../../catalog/transfers/transfer-queries.ts';
import { keepTable, loadKeptTable, storeTable } from '../../catalog/transfers/waiting-table.ts';
import { wake } from '../../data/queues.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { countForm } from '../../web/forms/form-limits.ts';
import type { FieldView } from '../../web/forms/form-page.tsx';
import { fieldIssue, ticked } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { openOwnStore } from '../open-own-store.ts';
import { problemIn } from './import-problems.ts';
import { refreshOf, transferColumns, TransferProgress } from './transfer-progress.tsx';

const [alias, id] = [':alias', ':id'];

/** All members see imports; managers begin and cancel them. */
const ofImports = {
  role: Role.manager,
  showRole: Role.viewer,
  part: 'store/imports',
  limit: 'pages',
} as const;

const maxTableBytes = 8_000_000;
const maxLines = { bytes: maxTableBytes, lines: tableLimits.rows };
/** Lines repeat the names of fields, which a table has once. */
const maxTableLines = { bytes: 64_000_000, lines: tableLimits.rows };
const maxShownImports = 20;
const maxShownErrors = 50;
/** More than an import keeps. */
const maxErrors = 25_000;

const isManager = ({ store }: SignedInPage) => includesRole(store.role, Role.manager);

/**
 * `/account/stores/{alias}/imports`: the imports of the last week, and the form that uploads a
 * file.
 */
export const importsForm = userForm({
  ...ofImports,
  path: storePaths.imports(alias),
  maxFileBytes: maxTableBytes,
  load: (page) => latestTransfers(openOwnStore(page).db, 'import', maxShownImports),
  fields: ({ transfers: { imports: t } }) =>
    z
      .object({ file: z.instanceof(File, { error: t.fileMissing }), summary: ticked })
      .check(({ value, issues }) => {
        if (value.file.size === 0) issues.push(fieldIssue('', t.fileMissing, 'file'));
      }),
  view(page, found) {
    const t = page.messages.transfers.imports;
    return {
      title: t.title,
      ...(isManager(page) && {
        paragraphs: [t.lead],
        fields: [
          {
            name: 'file',
            label: t.file,
            hint: t.fileHint,
            type: 'file',
            accept: '.csv,.tsv,.txt,.ndjson,.jsonl',
          },
          summaryField(t, false),
        ],
        submit: t.upload,
      }),
      after: <ImportList page={page} imports={found} />,
    };
  },
  async submit(page, { file, summary }) {
    const { env, store, messages } = page;
    const t = messages.transfers.imports;
    await weigh(page, file.size);
    const bytes = new Uint8Array(await file.arrayBuffer());
    const how = { product_events: !summary };
    if (isJson(bytes)) return beginImport(page, new Response(bytes), how);
    try {
      const text = decodeTable(bytes);
      // Lines in UTF-16.
      if (text.startsWith('{')) return await beginImport(page, new Response(text), how);
      const { db } = openOwnStore(page);
      const table = await storeTable(env.ARCHIVE, store.id, text, { db, guess: guessByLanguage });
      const path = storePaths.importColumns(store.alias, table);
      return page.redirect(summary ? `${path}?summary=yes` : path);
    } catch (error) {
      if (!(error instanceof TableFault)) throw error;
      const fault = t.faults[error.kind].replace('{row}', error.row.toLocaleString(page.language));
      return { errors: [{ field: 'file', text: fault }] };
    }
  },
});

/** Bytes of a file or a table that cost as much as one more form. */
const weightBytes = 250_000;

/** Counts what a file or a table costs beyond its form. Throws a 429. */
export async function weigh(page: SignedInPage, bytes: number) {
  const weight = Math.floor(bytes / weightBytes);
  if (weight > 0) await countForm(page, page.user.id, 'pages', 'every', weight);
}

/**
 * The choice of one event for the whole import. That of the upload is the default for the columns
 * of a table.
 */
export const summaryField = (
  t: Messages['transfers']['imports'],
  isTicked: boolean,
): FieldView => ({
  name: 'summary',
  label: t.summary,
  hint: t.summaryHint,
  type: 'checkbox',
  isTicked,
});

/** Whether the first character is that of a JSON object. */
const isJson = (bytes: Uint8Array) =>
  /^\uFEFF?\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 100)));

/** New brands of a table. More are rather a wrong column. */
const maxNewBrands = 500;

/**
 * Starts an import of lines that a member sent, or that a table with these brands became. A refusal
 * shows the form again.
 */
export async function beginImport(
  page: SignedInPage,
  sent: Pick<Request, 'body' | 'headers'>,
  choices: ImportChoices,
  table?: { id: string; brands: ReadonlySet<string> },
) {
  const { env, store, messages } = page;
  const t = messages.transfers.imports;
  const { db, actor } = openOwnStore(page);
  const brands = table?.brands;
  let received;
  try {
    received = await receiveFile(sent, env.ARCHIVE, store.id, brands ? maxTableLines : maxLines);
    // Fewer need no look at the store.
    if (brands && brands.size > maxNewBrands && (await countMissing(db, brands)) > maxNewBrands)
      return { errors: [{ text: t.columns.brandsMany }] };
    const started = await startImport(db, actor, received.body, choices);
    // Without its table, the import has a list of its errors in place of the failed rows.
    if (table)
      await keepTable(env.ARCHIVE, store.id, table.id, received.body.file).catch(() => undefined);
    page.defer(wake(env, 'transfers', { v: 1, shard: store.shard }));
    return page.redirect(storePaths.import(store.alias, started?.id ?? 0));
  } catch (error) {
    const isLong = error instanceof HttpError && error.code === 'body_too_large';
    if (isLong || error instanceof ValidationError)
      return { errors: [{ ...(!brands && { field: 'file' }), text: t.faults.long }] };
    // Another table has taken its place.
    if (error instanceof FileLost) throw notFound();
    if (error instanceof HttpError && error.status === 409) {
      return { errors: [{ text: t.tooMany }], status: 409 as const };
    }
    throw error;
  } finally {
    await received?.end();
  }
}

/**
 * Guesses columns by their names in each language, since a file may have been exported in another
 * one.
 */
export const guessByLanguage = (header: readonly string[]) =>
  guessColumns(
    header,
    languages.map((language) => messagesFor(language).transfers.imports.columns.names),
  );

/**
 * The headers of the column that says what is wrong in a file of failed rows; that of `first` goes
 * first.
 */
export const problemHeaders = (first: Language) =>
  [first, ...languages].map((language) => messagesFor(language).transfers.imports.errorText);

/** A body of texts, which are made as it is read. */
export const streamOf = (texts: AsyncGenerator<string>) =>
  new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: async () => void (await texts.return(undefined)),
  });

const encoder = new TextEncoder();

/** `/account/stores/{alias}/imports/{id}`: how far an import is, its errors, and its end. */
export const importForm = userForm({
  ...ofImports,
  path: storePaths.import(alias, id),
  async load(page) {
    const { db } = openOwnStore(page);
    const found = await findTransfer(db, 'import', page.id('id'));
    if (!found) throw notFound();
    const errors = found.failed > 0 ? await foldedErrors(db, found.id, maxShownErrors) : [];
    return { found, errors };
  },
  view(page, { found, errors }) {
    const { imports: t } = page.messages.transfers;
    const { alias: store } = page.store;
    const isTable = found.from_table;
    const isOpen = !isFinished(found);
    const back = { href: storePaths.imports(store), text: page.messages.navigation.imports };
    return {
      title: t.result.replace('{id}', String(found.id)),
      refreshSeconds: refreshOf(page, found),
      intro: <ImportResult page={page} found={found} />,
      ...(isOpen && isManager(page) ? { submit: t.cancel, isDangerous: true, back } : { back }),
      after: errors.length > 0 && (
        <>
          <DataTable
            caption={t.errorsCaption}
            columns={[
              {
                label: t.errorRow,
                // The cards of a phone have no headers.
                cell: ({ lines }) => rowsAsText(page, lines),
              },
              { label: t.errorField, cell: ({ field }) => <FieldName page={page} field={field} /> },
              { label: t.errorSent, cell: (error) => shownAs(page, error) },
              { label: t.errorText, cell: ({ message }) => <Problem {...{ page, message }} /> },
            ]}
            rows={errors}
          />
          {isManager(page) && isTable && <p>{t.errorsAdvice}</p>}
          <p>
            <a class="target" href={storePaths.importErrors(store, found.id)}>
              {isTable ? t.errorsFile : t.errorsList}
            </a>
          </p>
        </>
      ),
    };
  },
  async submit(page) {
    await cancelTransfer(openOwnStore(page).db, 'import', page.id('id'));
    return page.redirect(page.path);
  },
});

/** Ranges of rows that are written out; the others are counted. */
const maxRanges = 4;

/** The rows that have one error, neighbours as a range, and their number if they are many. */
function rowsAsText({ language, messages }: SignedInPage, lines: readonly number[]): string {
  const t = messages.transfers.imports;
  const ranges: { first: number; last: number }[] = [];
  for (const line of lines.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range && line <= range.last + 1) range.last = line;
    else ranges.push({ first: line, last: line });
  }
  const write = (line: number) => line.toLocaleString(language);
  const some = ranges
    .slice(0, maxRanges)
    .map(({ first, last }) => (first === last ? write(first) : `${write(first)}–${write(last)}`))
    .join(', ');
  const rows = ranges.length > maxRanges ? t.errorMore.replace('{rows}', some) : some;
  const isOne = ranges.length === 1 && ranges[0]?.first === ranges[0]?.last;
  const count = lines.length > 1 ? ` (${write(lines.length)})` : '';
  return `${isOne ? t.errorRow : t.errorRows}\u00A0${rows}${count}`;
}

/** A field of a line: the name of its column, else its path. */
const FieldName = ({ page, field }: { page: SignedInPage; field: string }) => {
  const column = columnOfField(field);
  return column ? <>{nameOfColumn(page, column)}</> : <code>{field}</code>;
};

const nameOfColumn = ({ messages }: SignedInPage, column: Column) =>
  messages.transfers.imports.columns.names[column];

/**
 * The value that was sent: a number in the spelling of the language, as cells of a table are read.
 */
function shownAs(
  { language }: SignedInPage,
  { field, sent, differs }: Pick<FoldedError, 'field' | 'sent'> & { differs?: boolean },
) {
  const value = Number(sent);
  const text =
    sent !== null && isNumber(columnOfField(field)) && String(value) === sent
      ? value.toLocaleString(language, { useGrouping: false, maximumFractionDigits: 20 })
      : sent;
  return differs ? `${text ?? ''}, …` : text;
}

/** A message of the API in the language of the page, else as it is. */
const Problem = ({ page, message }: { page: SignedInPage; message: string }) => {
  const text = problemIn(page.language, message);
  return text === undefined ? <span lang="en">{message}</span> : <>{text}</>;
};

/**
 * `GET /account/stores/{alias}/imports/{id}/errors`: the rows of a table that failed; of other
 * files, all errors as a table.
 */
export async function showImportErrors(page: SignedInPage): Promise<Response> {
  const { db } = openOwnStore(page);
  const found = await findTransfer(db, 'import', page.id('id'));
  if (!found) throw notFound();
  const t = page.messages.transfers.imports;
  const errors = await firstErrors(db, found.id, maxErrors);
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': `attachment; filename="${page.store.alias}-import-${found.id}-errors.csv"`,
  };
  const problemOf = ({ message }: LineError) => problemIn(page.language, message) ?? message;
  const table = found.from_table && (await loadKeptTable(page.env.ARCHIVE, found.file));
  if (table) {
    const rows = failedRows(table, errors, {
      problem: problemHeaders(page.language),
      textOf(error) {
        const column = columnOfField(error.field);
        return column ? `${nameOfColumn(page, column)}: ${problemOf(error)}` : problemOf(error);
      },
      otherRow: (row) => t.errorsOther.replace('{row}', row.toLocaleString(page.language)),
    });
    return new Response(streamOf(rows), { headers });
  }
  const header = [t.errorRow, t.errorField, t.errorSent, t.errorText];
  const rows = errors.map((error) => [
    String(error.line),
    error.field,
    shownAs(page, error) ?? '',
    problemOf(error),
  ]);
  return new Response([header, ...rows].map((row) => formatRow(row)).join(''), { headers });
}

const ImportList = ({ page, imports }: { page: SignedInPage; imports: readonly Transfer[] }) => {
  const t = page.messages.transfers.imports;
  if (imports.length === 0) return <EmptyState text={t.none} />;
  return (
    <DataTable
      caption={t.caption}
      columns={[
        ...transferColumns(page, (id) => storePaths.import(page.store.alias, id)),
        { label: t.failed, cell: ({ failed }) => failed.toLocaleString(page.language) },
      ]}
      rows={imports}
    />
  );
};

const ImportResult = ({ page, found }: { page: SignedInPage; found: RankedTransfer }) => {
  const t = page.messages.transfers.imports;
  const counts = [
    [t.created, found.created],
    [t.updated, found.updated],
    [t.unchanged, found.unchanged],
    ...(found.skipped > 0 ? [[t.skipped, found.skipped] as const] : []),
    ...(found.stocks_set > 0 ? [[t.stocksSet, found.stocks_set] as const] : []),
    [t.failed, found.failed],
  ] as const;
  const { stocks_left: left, unused_columns: unused } = found;
  return (
    <>
      <TransferProgress page={page} found={found} behind={t.behind} />
      <dl class="figures">
        {counts.map(([label, count]) => (
          <div>
            <dt>{label}</dt>
            <dd>{count.toLocaleString(page.language)}</dd>
          </div>
        ))}
        {!found.product_events && (
          <>
            <dt>{t.events}</dt>
            <dd>{t.summaryOnly}</dd>
          </>
        )}
      </dl>
      {left > 0 && <p>{t.stocksLeft.replace('{count}', left.toLocaleString(page.language))}</p>}
      {unused.length > 0 && <p>{t.unused.replace('{columns}', () => unused.join(', '))}</p>}
    </>
  );
};
