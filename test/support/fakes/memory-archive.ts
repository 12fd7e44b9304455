/** Objects by key. */
export type StoredObjects = Map<string, Uint8Array<ArrayBuffer>>;

/**
 * A bucket in memory, with the methods that the service calls. Each call passes through `call`,
 * which may fail.
 */
export const memoryArchive = (
  objects: StoredObjects,
  call: <T>(work: () => T) => Promise<T> = async (work) => work(),
) =>
  ({
    put: (key: string, content: Uint8Array<ArrayBuffer>) =>
      call(() => {
        objects.set(key, content.slice());
        return { size: content.length };
      }),
    get: (key: string, { range }: { range?: { offset: number; length: number } } = {}) =>
      call(() => {
        const content = objects.get(key);
        if (!content) return null;
        const { offset, length } = range ?? { offset: 0, length: content.length };
        const part = content.slice(offset, offset + length);
        return { arrayBuffer: () => Promise.resolve(part.buffer) };
      }),
    head: (key: string) => call(() => (objects.has(key) ? { uploaded: new Date(0) } : null)),
    delete: (keys: string[]) => call(() => keys.forEach((key) => objects.delete(key))),
  }) as unknown as R2Bucket;
