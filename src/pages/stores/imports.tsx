import { csvFormatRows } from 'd3-dsv';
import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { cleanFormLine, nameKey } from '../../base/codecs/fields/normalize-text.ts';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import { languages } from '../../base/languages.ts';
import { storePaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import {
  brandNames,
  columnOfField,
  columns,
  guessColumns,
  readTable,
  toLines,
  type Column,
  type Spreadsheet,
} from '../../commerce/transfers/csv.ts';
import {
  deleteTable,
  loadTable,
  receiveFile,
  startImport,
  storeTable,
} from '../../commerce/transfers/start-transfer.ts';
import { isFinished, type Transfer } from '../../commerce/transfers/transfer-job.ts';
import {
  cancelTransfer,
  findTransfer,
  firstErrors,
  latestTransfers,
} from '../../commerce/transfers/transfer-queries.ts';
import type { RankedTransfer } from '../../commerce/transfers/transfer-standing.ts';
import { wake } from '../../data/queues.ts';
import { brands } from '../../data/schema/store/catalog-tables.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import type { FieldView } from '../../web/forms/form-page.tsx';
import { fieldIssue, oneOf, sentText, ticked } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { openStore } from '../webhooks/own-webhook.ts';
import { problemIn } from './import-problems.ts';
import { transferColumns, TransferProgress } from './transfer-progress.tsx';

const [alias, id] = [':alias', ':id'];

/** All members see imports; managers begin and cancel them. */
const ofImports = {
  role: Role.manager,
  showRole: Role.viewer,
  part: 'store/imports',
  limit: 'pages',
} as const;

const maxTableBytes = 8_000_000;
const maxRows = 10_000;
const maxLines = { bytes: maxTableBytes, lines: maxRows };
const maxColumns = 100;
const maxShownImports = 20;
const maxShownErrors = 50;
const maxErrors = 10_000;

const isManager = ({ store }: SignedInPage) => includesRole(store.role, Role.manager);

/** `/account/stores/{alias}/imports`: the imports of the last week, and the form that uploads a file. */
export const importsForm = userForm({
  ...ofImports,
  path: storePaths.imports(alias),
  maxFileBytes: maxTableBytes,
  load: (page) => latestTransfers(openStore(page).db, 'import', maxShownImports),
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
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isJson(bytes)) return beginImport(page, bytes, !summary);
    const { header, rows } = readTable(bytes);
    const fault =
      rows.length === 0
        ? t.fileEmpty
        : rows.length > maxRows
          ? t.fileLong
          : header.length > maxColumns
            ? t.fileWide
            : undefined;
    if (fault !== undefined) return { errors: [{ field: 'file', text: fault }] };
    const table = await storeTable(env.ARCHIVE, store.id, bytes);
    const path = storePaths.importColumns(store.alias, table);
    return page.redirect(summary ? `${path}?summary=yes` : path);
  },
});

/** The choice of one event for the whole import. That of the upload is the default for the columns of a table. */
const summaryField = (t: Messages['transfers']['imports'], isTicked: boolean): FieldView => ({
  name: 'summary',
  label: t.summary,
  hint: t.summaryHint,
  type: 'checkbox',
  isTicked,
});

/** Whether the first character is that of a JSON object. */
const isJson = (bytes: Uint8Array) =>
  /^\uFEFF?\s*\{/.test(new TextDecoder().decode(bytes.subarray(0, 100)));

/** Starts an import of lines. A refusal shows the form again. */
async function beginImport(page: SignedInPage, lines: Uint8Array | string, productEvents: boolean) {
  const { env, store, messages } = page;
  const t = messages.transfers.imports;
  const { db, actor } = openStore(page);
  let received;
  try {
    received = await receiveFile(new Response(lines), env.ARCHIVE, store.id, maxLines);
    const started = await startImport(db, actor, received.body, productEvents);
    page.defer(wake(env, 'transfers', { v: 1, shard: store.shard }));
    return page.redirect(storePaths.import(store.alias, started?.id ?? 0));
  } catch (error) {
    if (error instanceof ValidationError) return { errors: [{ field: 'file', text: t.fileLong }] };
    if (error instanceof HttpError && error.status === 409) {
      return { errors: [{ text: t.tooMany }], status: 409 as const };
    }
    throw error;
  } finally {
    await received?.end();
  }
}

/** Loads a table that waits for the meaning of its columns. Throws 404 if it is gone. */
async function requireTable({ env, store }: SignedInPage, file: string): Promise<Spreadsheet> {
  const table = /^[\da-f-]{36}$/.test(file)
    ? await loadTable(env.ARCHIVE, store.id, file)
    : undefined;
  if (!table) throw notFound();
  return table;
}

/** The names of the columns in each language, since a file may have been exported in another one. */
const namesOfColumns = () =>
  languages.map((language) => messagesFor(language).transfers.imports.columns.names);

const columnField = (at: number) => `column_${at}`;

/** `/account/stores/{alias}/tables/{file}`: what each column of an uploaded table is, and the start of its import. */
export const importColumnsForm = userForm({
  role: Role.manager,
  part: 'store/imports',
  limit: 'pages',
  path: storePaths.importColumns(alias, ':file'),
  load: (page) => requireTable(page, page.param('file')),
  fields: ({ transfers: { imports } }) => {
    const t = imports.columns;
    const shape = Object.fromEntries(
      Array.from({ length: maxColumns }, (_, at) => [columnField(at), sentText]),
    );
    return z
      .object({
        ...shape,
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
        if (!chosen.some((column) => column === 'id' || column === 'slug' || column === 'name')) {
          issues.push(fieldIssue('', t.nameless, columnField(0)));
        }
      });
  },
  view(page, table) {
    const t = page.messages.transfers.imports.columns;
    const guessed = guessColumns(table.header, namesOfColumns());
    const options = [
      { value: '', text: t.leaveOut },
      ...columns.map((column) => ({ value: column, text: t.names[column] })),
    ];
    const fields = table.header.map((name, at): FieldView => {
      const example = table.rows.find((row) => row[at]?.trim())?.[at]?.trim();
      return {
        name: columnField(at),
        label: name === '' ? t.unnamed.replace('{number}', String(at + 1)) : name,
        ...(example !== undefined && {
          hint: t.example.replace('{example}', () => example.slice(0, 80)),
        }),
        type: 'select',
        options,
        value: guessed[at] ?? '',
      };
    });
    return {
      title: t.title,
      paragraphs: [t.lead.replace('{rows}', table.rows.length.toLocaleString(page.language))],
      fields: [
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
    const { env, store, messages } = page;
    const file = page.param('file');
    const table = await requireTable(page, file);
    const chosen = chosenColumns(values).slice(0, table.header.length);
    const own = cleanFormLine(values.brand, maxNameLength) ?? '';
    const brandIds = await findOrCreateBrands(page, [
      ...(own === '' ? [] : [own]),
      ...brandNames(table, chosen),
    ]);
    if (!brandIds) return { errors: [{ text: messages.transfers.imports.columns.brandsMany }] };
    const lines = toLines(table, {
      columns: chosen,
      active: values.active === 'yes',
      brandId: own === '' ? undefined : brandIds.get(nameKey(own)),
      brandIds,
    });
    const result = await beginImport(page, lines, !values.summary);
    if (result instanceof Response) await deleteTable(env.ARCHIVE, store.id, file);
    return result;
  },
});

const maxNameLength = 255;
const maxNewBrands = 500;

/** The chosen column of each place; `undefined` for one that is left out. */
const chosenColumns = (values: Readonly<Record<string, unknown>>): (Column | undefined)[] =>
  Array.from({ length: maxColumns }, (_, at) => {
    const sent = values[columnField(at)];
    return columns.find((column) => column === sent);
  });

/** The ids of brands by the keys of their names; creates those that do not exist. `undefined` if they are too many. */
async function findOrCreateBrands(
  page: SignedInPage,
  names: readonly string[],
): Promise<ReadonlyMap<string, number> | undefined> {
  const { db } = openStore(page);
  const cleaned = names.flatMap((name) => cleanFormLine(name, maxNameLength) || []);
  const wanted = new Map(cleaned.map((name) => [nameKey(name), name]));
  if (wanted.size === 0) return new Map();
  const keys = [...wanted.keys()];
  const isWanted = sql`${brands.name_key} in (select value from json_each(${JSON.stringify(keys)}))`;
  const [found] = await db.batch([db.select(brands, { where: isWanted })]);
  const ids = new Map(found.map((brand) => [nameKey(brand.name), brand.id]));
  const missing = keys.filter((key) => !ids.has(key));
  if (missing.length > maxNewBrands) return undefined;
  if (missing.length === 0) return ids;
  const created = await db.batch(
    missing.map((key) =>
      db.insertStatement(brands, { name: wanted.get(key) ?? '', active: true, featured: false }),
    ),
  );
  for (const brand of created.flat()) ids.set(nameKey(brand.name), brand.id);
  return ids;
}

/** `/account/stores/{alias}/imports/{id}`: how far an import is, its errors, and its end. */
export const importForm = userForm({
  ...ofImports,
  path: storePaths.import(alias, id),
  async load(page) {
    const { db } = openStore(page);
    const found = await findTransfer(db, 'import', page.id('id'));
    if (!found) throw notFound();
    const errors = found.failed > 0 ? await firstErrors(db, found.id, maxShownErrors) : [];
    return { found, errors };
  },
  view(page, { found, errors }) {
    const { imports: t } = page.messages.transfers;
    const { alias: store } = page.store;
    const isOpen = !isFinished(found);
    const back = { href: storePaths.imports(store), text: page.messages.navigation.imports };
    return {
      title: t.result.replace('{id}', String(found.id)),
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
                cell: ({ line }) => `${t.errorRow} ${line.toLocaleString(page.language)}`,
              },
              { label: t.errorField, cell: ({ field }) => <FieldName page={page} field={field} /> },
              { label: t.errorText, cell: ({ message }) => <Problem {...{ page, message }} /> },
            ]}
            rows={errors}
          />
          {isManager(page) && <p>{t.errorsAdvice}</p>}
          <p>
            <a class="target" href={storePaths.importErrors(store, found.id)}>
              {t.errorsFile}
            </a>
          </p>
        </>
      ),
    };
  },
  async submit(page) {
    await cancelTransfer(openStore(page).db, 'import', page.id('id'));
    return page.redirect(page.path);
  },
});

/** A field of a line: its path, and the name of its column. */
const FieldName = ({ page, field }: { page: SignedInPage; field: string }) => {
  const column = columnOfField(field);
  return (
    <>
      {column && (
        <>
          {page.messages.transfers.imports.columns.names[column]}
          <br />
        </>
      )}
      <code class={column && 'muted'}>{field}</code>
    </>
  );
};

/** A message of the API in the language of the page, else as it is. */
const Problem = ({ page, message }: { page: SignedInPage; message: string }) => {
  const text = problemIn(page.language, message);
  return text === undefined ? <span lang="en">{message}</span> : <>{text}</>;
};

/** `GET /account/stores/{alias}/imports/{id}/errors`: all errors of an import as a table. */
export async function showImportErrors(page: SignedInPage): Promise<Response> {
  const { db } = openStore(page);
  const found = await findTransfer(db, 'import', page.id('id'));
  if (!found) throw notFound();
  const t = page.messages.transfers.imports;
  const errors = await firstErrors(db, found.id, maxErrors);
  const rows = errors.map(({ line, field, message }) => [
    String(line),
    field,
    problemIn(page.language, message) ?? message,
  ]);
  return new Response(csvFormatRows([[t.errorRow, t.errorField, t.errorText], ...rows]), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="import-${found.id}-errors.csv"`,
    },
  });
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
    [t.failed, found.failed],
  ] as const;
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
    </>
  );
};
