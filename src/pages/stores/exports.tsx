import { HttpError, notFound } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { storePaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { streamTable, type TableSpelling } from '../../catalog/transfers/export-table.ts';
import { partKeys } from '../../catalog/transfers/exporter.ts';
import { startExport } from '../../catalog/transfers/start-transfer.ts';
import { streamObjects } from '../../catalog/transfers/stream-objects.ts';
import { isFinished } from '../../catalog/transfers/transfer-job.ts';
import {
  cancelTransfer,
  findTransfer,
  latestTransfers,
} from '../../catalog/transfers/transfer-queries.ts';
import { wake } from '../../data/queues.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { openOwnStore } from '../open-own-store.ts';
import { refreshOf, transferColumns, TransferProgress } from './transfer-progress.tsx';

const [alias, id] = [':alias', ':id'];

const ofExports = { part: 'store/exports', limit: 'pages' } as const;

const maxShownExports = 20;

/**
 * `/account/stores/{alias}/product-exports`: the exports of the last week, and the button that
 * begins one.
 */
export const productExportsForm = userForm({
  ...ofExports,
  role: Role.viewer,
  path: storePaths.productExports(alias),
  load: (page) => latestTransfers(openOwnStore(page).db, 'export', maxShownExports),
  view(page, found) {
    const t = page.messages.transfers.exports;
    return {
      title: t.title,
      paragraphs: [t.lead],
      submit: t.start,
      after:
        found.length === 0 ? (
          <EmptyState text={t.none} />
        ) : (
          <DataTable
            caption={t.caption}
            columns={transferColumns(page, (exportId) =>
              storePaths.productExport(page.store.alias, exportId),
            )}
            rows={found}
          />
        ),
    };
  },
  async submit(page) {
    const { env, store, messages } = page;
    const { db, actor } = openOwnStore(page);
    try {
      // Every role reads stock.
      const started = await startExport(db, actor, true);
      page.defer(wake(env, 'transfers', { v: 1, shard: store.shard }));
      return page.redirect(storePaths.productExport(store.alias, started?.id ?? 0));
    } catch (error) {
      if (!(error instanceof HttpError) || error.status !== 409) throw error;
      return { errors: [{ text: messages.transfers.exports.tooMany }], status: 409 };
    }
  },
});

/** Loads the export of the path. Throws 404 if the store has none with this id. */
async function requireExport(page: SignedInPage) {
  const found = await findTransfer(openOwnStore(page).db, 'export', page.id('id'));
  if (!found) throw notFound();
  return found;
}

const formats = ['csv', 'ndjson'] as const;

/** `/account/stores/{alias}/product-exports/{id}`: how far an export is, its files, and its end. */
export const productExportForm = userForm({
  ...ofExports,
  role: Role.manager,
  showRole: Role.viewer,
  path: storePaths.productExport(alias, id),
  load: requireExport,
  view(page, found) {
    const t = page.messages.transfers.exports;
    const { store } = page;
    const back = {
      href: storePaths.productExports(store.alias),
      text: page.messages.navigation.exports,
    };
    const isCancellable = !isFinished(found) && includesRole(store.role, Role.manager);
    const names = { csv: t.table, ndjson: t.lines };
    return {
      title: t.result.replace('{id}', String(found.id)),
      refreshSeconds: refreshOf(page, found),
      intro: (
        <>
          <TransferProgress page={page} found={found} behind={t.behind} />
          {found.state === 'done' && (
            <>
              <p class="actions">
                {formats.map((format, at) => (
                  <a
                    class={at === 0 ? 'button' : 'button plain'}
                    href={storePaths.productFile(store.alias, found.id, format)}
                  >
                    {names[format]}
                  </a>
                ))}
              </p>
              <p class="measure">{t.kept}</p>
            </>
          )}
        </>
      ),
      ...(isCancellable ? { submit: t.cancel, isDangerous: true, back } : { back }),
    };
  },
  async submit(page) {
    await cancelTransfer(openOwnStore(page).db, 'export', page.id('id'));
    return page.redirect(page.path);
  },
});

/** Sends the products of an export; leads to its page while it is not done. */
async function showFile(
  page: SignedInPage,
  format: (typeof formats)[number],
  convert: (lines: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
): Promise<Response> {
  const found = await requireExport(page);
  const { env, store } = page;
  if (found.state !== 'done') return page.redirect(storePaths.productExport(store.alias, found.id));
  const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' };
  return new Response(convert(streamObjects(env.ARCHIVE, partKeys(found))), {
    headers: {
      'Content-Type': types[format],
      'Content-Disposition': `attachment; filename="${store.alias}-products-${found.id}.${format}"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  });
}

/** `GET /account/stores/{alias}/product-exports/{id}/ndjson`: all fields, a product a line. */
export const showProductLines = (page: SignedInPage) => showFile(page, 'ndjson', (lines) => lines);

/**
 * `GET /account/stores/{alias}/product-exports/{id}/csv`: a table in the spelling of the page's
 * language.
 */
export const showProductTable = (page: SignedInPage) =>
  showFile(page, 'csv', (lines) =>
    streamTable(lines, openOwnStore(page).db, spellingOf(page.language)),
  );

/** How spreadsheets of a language write a table. */
function spellingOf(language: Language): TableSpelling {
  const { imports, exports } = messagesFor(language).transfers;
  const { yes, no } = exports;
  return { names: imports.columns.names, yes, no, hasDecimalComma: language !== 'en' };
}
