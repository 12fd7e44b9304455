import { log } from '../../log.ts';

/** The content of objects one after the other, each opened when the one before it was read. */
export function streamObjects(
  files: Pick<R2Bucket, 'get'>,
  keys: readonly string[],
): ReadableStream<Uint8Array> {
  const left = [...keys];
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  return new ReadableStream({
    async pull(controller) {
      for (;;) {
        const { value } = (await reader?.read()) ?? {};
        if (value) return controller.enqueue(value);
        const key = left.shift();
        if (key === undefined) return controller.close();
        const object = await files.get(key);
        if (!object) {
          log('error', 'export_part_missing', { alert: true, key });
          // The connection breaks, so that the caller does not take a part for the file.
          throw new Error('a part of the file is missing');
        }
        reader = object.body.getReader();
      }
    },
    cancel: async (reason) => reader?.cancel(reason),
  });
}
