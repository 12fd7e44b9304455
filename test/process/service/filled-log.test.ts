import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { KillableRuntime } from '../../support/node/runtime/killable-runtime.ts';
import { patience } from '../../support/patience.ts';

const folder = mkdtempSync(join(tmpdir(), 'store-api-log-'));
const script = join(folder, 'index.js');
// A run of cron writes more lines than the pipe to Node holds.
writeFileSync(
  script,
  `let runs = 0;
  export default {
    fetch: () => new Response(String(runs)),
    scheduled() {
      for (let line = 0; line < 1_000; line += 1) console.log('x'.repeat(1_000));
      runs += 1;
    },
  };`,
);
const runtime = new KillableRuntime(script);

afterAll(async () => {
  await runtime.end();
  rmSync(folder, { recursive: true });
});

it('fault 82: the local runtime answers on while runs of cron fill its log', async () => {
  await runtime.start();
  const runs = async () => Number(await (await runtime.fetch('GET', '')).text());
  await expect.poll(runs, patience).toBeGreaterThan(1);
});
