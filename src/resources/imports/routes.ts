import { eq } from 'drizzle-orm';
import { listing } from '../../codecs/listing/listing.ts';
import { transfers } from '../../db/schema/store/transfers.ts';
import { operation } from '../../http/operation.ts';
import { accepted, data, page } from '../../http/replies.ts';
import { ImportErrorSchema, ImportSchema } from '../../schemas/catalog/transfer.ts';
import { cancelTransfer } from '../../transfers/cancel.ts';
import { ProductLine } from '../../transfers/imports/product-line.ts';
import { findTransfer, pageOfErrors } from '../../transfers/queries.ts';
import { receiveFile, startImport } from '../../transfers/start.ts';
import { maxFileBytes } from '../../transfers/upload.ts';

const importList = listing();
const errorList = listing({ perPage: 100 });

export const importOperations = [
  operation({
    id: 'listImports',
    route: 'GET /{alias}/catalog/imports',
    access: 'catalog.read',
    query: importList,
    reply: page(ImportSchema),
    errors: [400],
    run: ({ db, query }) => db.page(transfers, query, { where: eq(transfers.kind, 'import') }),
  }),
  operation({
    id: 'createImport',
    route: 'POST /{alias}/catalog/imports',
    access: 'catalog.write',
    upload: {
      mediaType: 'application/x-ndjson',
      line: ProductLine,
      maxBytes: maxFileBytes,
      receive: receiveFile,
    },
    reply: accepted(ImportSchema),
    errors: [409, 422],
    note: 'The body has one product with its SKUs a line, as POST /{alias}/catalog/products takes it: at most 10,000 lines, 32 MiB, and 1 MiB a line. A line with the id of a product, or else its slug, updates it and leaves what it does not name, also SKUs; any other line creates a product. A SKU is matched by id, else by sku. quantity is the first stock of a new SKU, and ignored for one that exists. Lines follow one another; those that do not fit are listed and do not stop the others. A product that is already so is not written and sends no event. Imports of a store run one after another, and at most five may be unfinished: else 409 (too_many_transfers). The file is deleted when the import ends, the import a week later. When the event budget of the store is used up, the import pauses until the next day. An import whose credential is revoked is cancelled.',
    run: async ({ db, body, principal, background }) => {
      const started = await startImport(db, principal, body);
      background.wakeTransfers();
      return started;
    },
  }),
  operation({
    id: 'showImport',
    route: 'GET /{alias}/catalog/imports/{id}',
    access: 'catalog.read',
    reply: data(200, ImportSchema),
    errors: [404],
    run: ({ db, ids }) => findTransfer(db, 'import', ids.id),
  }),
  operation({
    id: 'cancelImport',
    route: 'DELETE /{alias}/catalog/imports/{id}',
    access: 'catalog.write',
    reply: data(200, ImportSchema),
    errors: [404],
    note: 'Lines that are done stay done; no other begins. An import that has ended stays as it is, and is returned.',
    run: ({ db, ids }) => cancelTransfer(db, 'import', ids.id),
  }),
  operation({
    id: 'listImportErrors',
    route: 'GET /{alias}/catalog/imports/{id}/errors',
    access: 'catalog.read',
    query: errorList,
    reply: page(ImportErrorSchema),
    errors: [404],
    note: 'In the order of the lines. At most 20 errors of a line are kept, and 10,000 of an import.',
    run: ({ db, ids, query }) => pageOfErrors(db, ids.id, query),
  }),
];
