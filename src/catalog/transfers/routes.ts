import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { bool } from '../../base/codecs/fields/scalars.ts';
import { choice } from '../../base/codecs/fields/text.ts';
import { listing } from '../../base/codecs/listing/listing.ts';
import type { Listing } from '../../base/codecs/listing/options.ts';
import { explainEnum } from '../../base/codecs/meaning.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import { conflict, insufficientScope } from '../../base/errors.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  knownSkuChoices,
  stockChoices,
  transfers,
} from '../../data/schema/store/transfers-tables.ts';
import type { Principal } from '../../http/access/principal.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { defineQuery } from '../../http/query-parameters.ts';
import { accepted, data, page, linesFile } from '../../http/replies.ts';
import { ExportedProductSchema } from './export-line.ts';
import { partKeys } from './exporter.ts';
import { ProductLine } from './parse-line.ts';
import { ImportSchema, transferHead, transferTimes } from './schema.ts';
import { admitImport, receiveFile, startImport, startExport, maxFile } from './start-transfer.ts';
import { streamObjects } from './stream-objects.ts';
import { earlierExtras, forecastOf, type RankedTransfer } from './transfer-forecast.ts';
import type { Transfer } from './transfer-job.ts';
import { cancelTransfer, findTransfer, pageOfErrors } from './transfer-queries.ts';

/** An error of a line of an import. */
const ImportErrorSchema = z
  .object({
    id: idOutput,
    line: z
      .int()
      .describe(
        'Number of the line in the file, or of the row of a spreadsheet, counted from 1 with blank ones.',
      ),
    field: z.string().describe('Dotted path of the field, such as skus.0.sku; line for all of it.'),
    sent: writtenOutside(z.string().nullable()).describe(
      'The value that does not fit, as a text of at most 80 characters; null without one.',
    ),
    message: z.string().describe('What the value must be.'),
    ...recordTimes,
  })
  .meta({ id: 'ImportError', description: 'Why a line of a file was not imported.' });

/** A job that exports products. */
const ExportSchema = z
  .object({
    ...transferHead,
    bytes: z.int().describe('Size of the file as far as it is written.'),
    total: z
      .int()
      .describe('Products of the store when the job began; those of the file when it is done.'),
    done: z.int().describe('Products that are in the file so far.'),
    with_stock: z
      .boolean()
      .describe('Whether SKUs have quantity: the caller who began the job had inventory.read.'),
    ...transferTimes,
  })
  .meta({ id: 'Export', description: 'A job that writes all products of the store into a file.' });

const withForecast = <Found extends RankedTransfer | undefined>(db: StoreDb, found: Found) =>
  found && { ...found, ...forecastOf(found, db.now) };

/** A page of the jobs of one kind. */
async function pageOfTransfers(
  db: StoreDb,
  kind: 'import' | 'export',
  query: Listing<'id' | 'created_at' | 'updated_at'>,
) {
  const found = await db.page(transfers, query, {
    where: eq(transfers.kind, kind),
    extras: earlierExtras,
  });
  return { ...found, rows: found.rows.map((row) => withForecast(db, row)) };
}

export const exportOperations = [
  operation({
    id: 'listExports',
    route: 'GET /{alias}/catalog/exports',
    access: 'catalog.read',
    query: listing(),
    reply: page(ExportSchema),
    errors: [400],
    run: ({ db, query }) => pageOfTransfers(db, 'export', query),
  }),
  operation({
    id: 'createExport',
    route: 'POST /{alias}/catalog/exports',
    access: 'catalog.read',
    reply: accepted(ExportSchema),
    errors: [409],
    run: async ({ db, principal, background }) => {
      const started = await startExport(db, principal, principal.hasScope('inventory.read'));
      background.wakeTransfers();
      return withForecast(db, started);
    },
  }),
  operation({
    id: 'showExport',
    route: 'GET /{alias}/catalog/exports/{id}',
    access: 'catalog.read',
    reply: data(200, ExportSchema),
    errors: [404],
    run: async ({ db, ids }) => withForecast(db, await findTransfer(db, 'export', ids.id)),
  }),
  operation({
    id: 'downloadExport',
    route: 'GET /{alias}/catalog/exports/{id}/file',
    access: 'catalog.read',
    reply: linesFile(ExportedProductSchema),
    errors: [404, 409],
    run: async ({ db, ids, principal, background }) => {
      const found = await findTransfer(db, 'export', ids.id);
      if (!found) return undefined;
      if (found.state !== 'done') throw conflict('export_not_ready');
      if (found.with_stock && !principal.hasScope('inventory.read')) {
        throw insufficientScope('inventory.read', principal.clientId === null ? 'api-key' : 'app');
      }
      return streamObjects(background.files, partKeys(found));
    },
  }),
];

const importList = listing();

/** Throws a 403 unless a caller who sets stock may do it. */
function requireStockScope({ hasScope, clientId }: Principal, stock: Transfer['stock']) {
  if (stock === 'set' && !hasScope('inventory.write'))
    throw insufficientScope('inventory.write', clientId === null ? 'api-key' : 'app');
}

const importQuery = defineQuery(
  z.object({
    product_events: bool.default(true),
    known_skus: choice(knownSkuChoices).default('refuse'),
    stock: choice(stockChoices).default('keep'),
  }),
  [
    {
      name: 'product_events',
      description:
        'false: products that are new or changed send no event; catalog.import_completed is sent at the end.',
      schema: { type: 'boolean', default: true },
    },
    {
      name: 'known_skus',
      description:
        'A line without the id or slug of a product, but with a SKU that the store has: refuse lists it as an error, change changes the product of the SKU, skip leaves it out.',
      schema: { type: 'string', enum: knownSkuChoices, default: 'refuse' },
    },
    {
      name: 'stock',
      description:
        'set: SKUs that exist get the stock of the file, too; needs inventory.write. keep: only new ones.',
      schema: { type: 'string', enum: stockChoices, default: 'keep' },
    },
  ],
);

const errorList = listing({ perPage: 100 });

export const importOperations = [
  operation({
    id: 'listImports',
    route: 'GET /{alias}/catalog/imports',
    access: 'catalog.read',
    query: importList,
    reply: page(ImportSchema),
    errors: [400],
    run: ({ db, query }) => pageOfTransfers(db, 'import', query),
  }),
  operation({
    id: 'createImport',
    route: 'POST /{alias}/catalog/imports',
    access: 'catalog.write',
    query: importQuery,
    upload: {
      mediaType: 'application/x-ndjson',
      line: ProductLine,
      maxBytes: maxFile.bytes,
      admit: admitImport,
      receive: receiveFile,
    },
    reply: accepted(ImportSchema),
    errors: [409, 422],
    run: async ({ db, query, body, principal, background }) => {
      requireStockScope(principal, query.stock);
      const started = await startImport(db, principal, body, query);
      background.wakeTransfers();
      return withForecast(db, started);
    },
  }),
  operation({
    id: 'showImport',
    route: 'GET /{alias}/catalog/imports/{id}',
    access: 'catalog.read',
    reply: data(200, ImportSchema),
    errors: [404],
    run: async ({ db, ids }) => withForecast(db, await findTransfer(db, 'import', ids.id)),
  }),
  operation({
    id: 'cancelImport',
    route: 'DELETE /{alias}/catalog/imports/{id}',
    access: 'catalog.write',
    reply: data(200, ImportSchema),
    errors: [404],
    run: async ({ db, ids }) => withForecast(db, await cancelTransfer(db, 'import', ids.id)),
  }),
  operation({
    id: 'listImportErrors',
    route: 'GET /{alias}/catalog/imports/{id}/errors',
    access: 'catalog.read',
    query: errorList,
    reply: page(ImportErrorSchema),
    errors: [404],
    run: ({ db, ids, query }) => pageOfErrors(db, ids.id, query),
  }),
];

/* @__PURE__ */ explainOperations({
  createExport:
    'Writes all products of the store with their SKUs, one a line, in the order of their ids. A product is as it was when the job came to it: changes meanwhile may be in the file or not, but a line is never half of one. SKUs have quantity if the caller has inventory.read. At most five exports of a store may be unfinished: else 409 (too_many_transfers). The export and its file are deleted a week after its end.',
  downloadExport:
    'Sends the lines as application/x-ndjson. They can be imported as they are: nothing changes then. 409 (export_not_ready) until state is done. A file with quantity needs inventory.read: else 403.',
  createImport:
    'The body has one product with its SKUs a line, as POST /{alias}/catalog/products takes it: at most 1,000,000 lines, 2 GiB, and 1 MiB a line, as one body that may be sent in chunks, and with Content-Encoding gzip or deflate. A line with the id of a product, or else its slug, updates it and leaves what it does not name, also SKUs; any other line creates a product, unless known_skus says that a SKU of the store names it. A SKU is matched by id, else by sku. quantity is the first stock of a new SKU; with stock=set it is also that of a SKU that exists, or, if the line has quantity_before, what it differs from that is added or taken. That needs inventory.write: else 403. Else stocks_left counts what differs. Lines follow one another; those that do not fit are listed and do not stop the others. A product that is already so is not written and sends no event. With product_events=false no product sends an event; of each import, one catalog.import_completed is sent at its end, also if it is cancelled or fails. Imports of a store run one after another, and at most five may be unfinished: else 409 (too_many_transfers), before the body is read. The file is deleted when the import ends, the import a week later. While the event budget of the store is used up, the import goes on slowly, with pauses of seconds. An import whose credential is revoked is cancelled.',
  cancelImport:
    'Lines that are done stay done; no other begins. An import that has ended stays as it is, and is returned.',
  listImportErrors:
    'In the order of the lines. At most 20 errors of a line are kept, and 10,000 of an import; of a spreadsheet, also the first one of each row beyond them.',
});

/* @__PURE__ */ explainEnum(
  'ImportKnownSkus',
  'What becomes of a line that names no product, but a SKU that the store has.',
  {
    refuse: 'It is an error: the SKU is taken.',
    change: 'It changes the product that has the SKU.',
    skip: 'It is left out, and counted.',
  },
);

/* @__PURE__ */ explainEnum('ImportStock', 'What becomes of the stock of SKUs that exist.', {
  keep: 'It stays as it is; how many differ is counted.',
  set: 'It is set to that of the file, or moved by what the file says has changed.',
});
