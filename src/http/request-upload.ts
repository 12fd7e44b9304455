import type { SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { HttpError } from '../base/errors.ts';
import type { StoreDb } from '../data/core/store-db.ts';

/** The result of a body that was stored while it arrived. */
export interface ReceivedUpload<Body> {
  /** The value that the operation gets as its body. */
  body: Body;
  /** Stands for the bytes in comparisons of requests. */
  digest: Uint8Array;
  /** Deletes the stored lines unless the operation keeps it. */
  end: () => Promise<void>;
}

/** A body of lines, too large for memory. */
export interface Upload<Body> {
  mediaType: 'application/x-ndjson';
  /** Schema of one line, for the document. */
  line: z.ZodType;
  maxBytes: number;
  /**
   * Throws if the operation would refuse any body now, unless `isRepeated` holds: then its response
   * is replayed. Runs the guard. The body is not read before.
   */
  admit: (db: StoreDb, isRepeated: SQL) => Promise<void>;
  receive: (request: Request, files: R2Bucket, storeId: number) => Promise<ReceivedUpload<Body>>;
}

/** Throws a 415 unless the body has the media type of the upload. */
export function assertMediaType({ headers }: Request, { mediaType }: Upload<unknown>): void {
  const sent = headers.get('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (sent !== mediaType) {
    throw new HttpError('unsupported_media_type', {
      hint: `Send the body with the header Content-Type: ${mediaType}.`,
      headers: { Accept: mediaType },
    });
  }
}
