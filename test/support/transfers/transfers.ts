import { env } from 'cloudflare:workers';
import { takeStep } from '../../../src/catalog/transfers/transfer-step.ts';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { callApi } from '../api/client.ts';
import type { ApiResponse } from '../api/conform.ts';
import type { TestStore } from '../fixtures/store.ts';

/** Lines of a file. A text is a line as it is. */
export const toLines = (lines: readonly unknown[]) =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

type FileContent = readonly unknown[] | string | Uint8Array<ArrayBuffer>;

/** Sends a file to import. */
export const sendImport = (
  { alias, headers }: Pick<TestStore, 'alias' | 'headers'>,
  lines: FileContent,
  further: Record<string, string> = {},
  query = '',
): Promise<ApiResponse> =>
  callApi('POST', `/v2/${alias}/catalog/imports${query}`, {
    headers: { ...headers, 'Content-Type': 'application/x-ndjson', ...further },
    raw: Array.isArray(lines) ? toLines(lines) : (lines as string),
  });

/**
 * Runs steps in the shard of a store until a transfer of it has ended or waits. Returns the
 * transfer.
 */
export async function workOff(
  store: TestStore,
  path: string,
  now: () => number = Date.now,
): Promise<ApiResponse['body']> {
  for (;;) {
    const context = { env, shard: store.shard, db: shardBinding(env, store.shard), now };
    await takeStep(context, { stepMs: 20_000, restFactor: 0, longChunkMs: Infinity });
    const { body } = await store.api(`GET ${path}`);
    if (!['waiting', 'running'].includes(body.data.state as string)) return body.data;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Imports lines, and returns the import when it has ended. */
export async function importLines(store: TestStore, lines: FileContent) {
  const { body } = await sendImport(store, lines);
  return workOff(store, `/catalog/imports/${body.data.id}`);
}

/** The messages of an import, as "line field: message". */
export async function errorsOf(store: TestStore, { id }: { id: number }): Promise<string[]> {
  const { body } = await store.api(`GET /catalog/imports/${id}/errors`);
  return body.data.map(
    ({ line, field, message }: Record<string, string>) => `${line} ${field}: ${message}`,
  );
}

/** Exports the products of a store. Returns the export and its lines. */
export async function exportLines(store: TestStore) {
  const { body } = await store.api('POST /catalog/exports');
  const path = `/catalog/exports/${body.data.id}`;
  const exported = await workOff(store, path);
  const file = await store.api(`GET ${path}/file`);
  return { exported, lines: (file.body ?? []) as Record<string, unknown>[] };
}
