import { log } from '../../base/log.ts';

/** A part of a file: bytes, or the key of the object with them. */
export type FilePart = string | Uint8Array;

/**
 * Streams the parts of a file one after the other. Opens each object when the parts before it were
 * read.
 */
export function streamObjects(
  files: Pick<R2Bucket, 'get'>,
  parts: readonly FilePart[],
): ReadableStream<Uint8Array> {
  const left = [...parts];
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { value } = (await reader?.read()) ?? {};
        if (value) return controller.enqueue(value);
        reader = undefined;
        const part = left.shift();
        if (part === undefined) return controller.close();
        if (typeof part !== 'string') return controller.enqueue(part);
        const object = await files.get(part);
        if (!object) {
          log('error', 'export_part_missing', { alert: true, key: part });
          // The connection breaks, so that the caller does not take a part for the file.
          throw new Error('a part of the file is missing');
        }
        reader = object.body.getReader();
      }
    },
    cancel: async (reason) => reader?.cancel(reason),
  });
}
