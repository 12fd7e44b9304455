/** `npm run bench:delivery`: measures throughput, database cost and losses of webhook delivery. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isSelected, rounds, sizes, timedCases } from './cases.ts';
import { buildContenders, killedContenders, timedContenders } from './contenders/contenders.ts';
import { drawKills, measureKills, type KillResult } from './kills.ts';
import { explainKills, explainSpeeds, printSpeeds, printKills } from './print.ts';
import { ProcessGroup } from './process-group.ts';
import { measureSpeed, type SpeedResult } from './speed.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-delivery-'));
const receivers = await ProcessGroup.start('receivers.ts');
const context = { scratch, receivers: receivers.url };

try {
  const all = buildContenders(scratch);
  if (!all.bullmq) console.log('BullMQ is skipped: there is no redis-server on the PATH');
  if (timedCases.length > 0) explainSpeeds();
  for (const benchCase of timedCases) {
    const contenders = timedContenders(all, benchCase);
    const results = new Map<string, SpeedResult[]>(contenders.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const contender of contenders) {
        results.get(contender.name)?.push(await measureSpeed(contender, benchCase, context));
      }
    }
    printSpeeds(benchCase, results);
  }
  if (isSelected('kills')) {
    explainKills();
    for (const endpoints of sizes) {
      const kills = drawKills();
      const results = new Map<string, KillResult>();
      for (const contender of killedContenders(all)) {
        results.set(contender.name, await measureKills(contender, { endpoints, kills }, context));
      }
      printKills(endpoints, results);
    }
  }
} finally {
  await receivers.kill();
  rmSync(scratch, { recursive: true });
}
