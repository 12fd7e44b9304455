import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { apiKeyHeadersOf } from '../../support/node/runtime/seed-store.ts';
import { startService } from '../../support/node/runtime/service.ts';

const line = `${JSON.stringify({ name: 'Shirt', description: 'x'.repeat(2_100) })}\n`;
const linesPerChunk = 500;
/** Their bytes are more than a string may have. */
const chunks = 520;

/** The resident memory of the runtime's processes, in MiB. */
const residentMiB = () =>
  execFileSync('ps', ['-o', 'rss=,comm=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((row) => row.includes('workerd'))
    .reduce((sum, row) => sum + Number.parseInt(row, 10) / 1_024, 0);

it(
  'takes a file of half a gigabyte in one body, and holds little of it at a time',
  { timeout: 900_000 },
  async () => {
    const service = await startService();
    try {
      const chunk = new TextEncoder().encode(line.repeat(linesPerChunk));
      let sent = 0;
      let most = 0;
      const before = residentMiB();
      const body = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (sent === chunks) return controller.close();
          sent += 1;
          if (sent % 20 === 0) most = Math.max(most, residentMiB());
          controller.enqueue(chunk);
        },
      });
      const streamed: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
      const response = await fetch(`${service.url}v2/bench/catalog/imports`, {
        ...streamed,
        headers: { ...apiKeyHeadersOf('bench'), 'Content-Type': 'application/x-ndjson' },
      });
      expect(response.status).toBe(202);
      const { data } = (await response.json()) as { data: { id: number; total: number } };
      expect(data).toMatchObject({ total: chunks * linesPerChunk, bytes: chunk.length * chunks });
      expect(before).toBeGreaterThan(0);
      // The process is also the bucket, which takes half of this; with the file itself it would be
      // 730 MiB.
      expect(most - before).toBeLessThan(384);
      await service.api(`DELETE /catalog/imports/${data.id}`);
    } finally {
      await service.stop();
    }
  },
);
