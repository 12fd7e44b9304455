import { filesOfTransfers } from '../../catalog/transfers/start-transfer.ts';
import { eventPrefix } from '../../data/core/event-id.ts';
import { filesOfExports } from '../export/kept-exports.ts';

/**
 * The beginnings of the keys of all files of a store: bodies of events, imports and exports, also
 * those without a row.
 */
const prefixesOf = (storeId: number) => [
  eventPrefix(storeId),
  ...filesOfTransfers(storeId),
  filesOfExports(storeId),
];

/** Counts the files of a store. One call per 1,000. */
export async function countFiles(files: R2Bucket, storeId: number): Promise<number> {
  let count = 0;
  for (const prefix of prefixesOf(storeId)) {
    let cursor: string | undefined;
    do {
      const page = await files.list({ prefix, ...(cursor !== undefined && { cursor }) });
      count += page.objects.length;
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }
  return count;
}

/**
 * Deletes the files of a store while time remains. Returns whether none remains. Two calls per
 * 1,000.
 */
export async function eraseFiles(
  files: R2Bucket,
  storeId: number,
  hasTime: () => boolean,
): Promise<boolean> {
  for (const prefix of prefixesOf(storeId)) {
    if (!(await deleteFiles(files, prefix, hasTime))) return false;
  }
  return true;
}

/** Deletes all files whose keys begin so, while time remains. Returns whether none remains. */
export async function deleteFiles(
  files: R2Bucket,
  prefix: string,
  hasTime: () => boolean,
): Promise<boolean> {
  for (;;) {
    if (!hasTime()) return false;
    const { objects } = await files.list({ prefix });
    if (objects.length === 0) return true;
    await files.delete(objects.map(({ key }) => key));
  }
}
