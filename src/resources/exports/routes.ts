import { eq } from 'drizzle-orm';
import { listing } from '../../codecs/listing/listing.ts';
import { transfers } from '../../db/schema/store/transfers.ts';
import { conflict, insufficientScope } from '../../errors.ts';
import { operation } from '../../http/operation.ts';
import { accepted, data, linesFile, page } from '../../http/replies.ts';
import { ExportSchema } from '../../schemas/catalog/transfer.ts';
import { ExportedProductSchema } from '../../transfers/exports/export-line.ts';
import { partKeys } from '../../transfers/exports/run-export.ts';
import { streamObjects } from '../../transfers/exports/stream-objects.ts';
import { findTransfer } from '../../transfers/queries.ts';
import { startExport } from '../../transfers/start.ts';

export const exportOperations = [
  operation({
    id: 'listExports',
    route: 'GET /{alias}/catalog/exports',
    access: 'catalog.read',
    query: listing(),
    reply: page(ExportSchema),
    errors: [400],
    run: ({ db, query }) => db.page(transfers, query, { where: eq(transfers.kind, 'export') }),
  }),
  operation({
    id: 'createExport',
    route: 'POST /{alias}/catalog/exports',
    access: 'catalog.read',
    reply: accepted(ExportSchema),
    errors: [409],
    note: 'Writes all products of the store with their SKUs, one a line, in the order of their ids. A product is as it was when the job came to it: changes meanwhile may be in the file or not, but a line is never half of one. SKUs have quantity if the caller has inventory.read. At most five exports of a store may be unfinished: else 409 (too_many_transfers). The export and its file are deleted a week after its end.',
    run: async ({ db, principal, background }) => {
      const started = await startExport(db, principal);
      background.wakeTransfers();
      return started;
    },
  }),
  operation({
    id: 'showExport',
    route: 'GET /{alias}/catalog/exports/{id}',
    access: 'catalog.read',
    reply: data(200, ExportSchema),
    errors: [404],
    run: ({ db, ids }) => findTransfer(db, 'export', ids.id),
  }),
  operation({
    id: 'downloadExport',
    route: 'GET /{alias}/catalog/exports/{id}/file',
    access: 'catalog.read',
    reply: linesFile(ExportedProductSchema),
    errors: [404, 409],
    note: 'Sends the lines as application/x-ndjson. They can be imported as they are: nothing changes then. 409 (export_not_ready) until state is done. A file with quantity needs inventory.read: else 403.',
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
