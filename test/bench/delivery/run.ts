/** `npm run bench:delivery`: how fast events leave, what they cost, and what is lost on the way. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isWanted, rounds, sizes, timed } from './cases.ts';
import { buildField, killedOf, timedIn } from './contenders.ts';
import { drawKills, survivedBy, type Survived } from './kills.ts';
import { explainKills, explainSpeeds, printSpeeds, printSurvived } from './print.ts';
import { ProcessGroup } from './process-group.ts';
import { speedOf, type Speed } from './speed.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-delivery-'));
const receivers = await ProcessGroup.start('receivers.ts');
const ground = { scratch, receivers: receivers.url };

try {
  const field = buildField(scratch);
  if (!field.bullmq) console.log('BullMQ is left out: there is no redis-server on the PATH');
  if (timed.length > 0) explainSpeeds();
  for (const wanted of timed) {
    const contenders = timedIn(field, wanted);
    const results = new Map<string, Speed[]>(contenders.map(({ name }) => [name, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const contender of contenders) {
        results.get(contender.name)?.push(await speedOf(contender, wanted, ground));
      }
    }
    printSpeeds(wanted, results);
  }
  if (isWanted('kills')) {
    explainKills();
    for (const endpoints of sizes) {
      const kills = drawKills();
      const results = new Map<string, Survived>();
      for (const contender of killedOf(field)) {
        results.set(contender.name, await survivedBy(contender, { endpoints, kills }, ground));
      }
      printSurvived(endpoints, results);
    }
  }
} finally {
  await receivers.kill();
  rmSync(scratch, { recursive: true });
}
