/**
 * Runs `npm run deploy` for the project of a test, with the real wrangler: `node deploy-process.ts {root} {origin of the account} {local
 * configuration} [--take-over-lock]`. The caller has read the configuration, since a process takes a second to load what reads it.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDeployment } from '../../../../src/deploy/deployment-file.ts';
import type { LocalConfig } from '../../../../src/deploy/local-config.ts';
import { checkDeployment, deploy } from '../../../../src/deploy/run-deployment.ts';
import { createRun } from '../../../../src/deploy/step.ts';
import { describeResult } from '../../../../src/deploy/summary.ts';
import { fetchAt } from './account-server.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'take-over-lock': { type: 'boolean', default: false } },
});
const [root = '', origin = '', local = ''] = positionals;
const print = (line: string) => console.log(line);
try {
  const deploymentFile = join(root, 'deployment.json');
  const run = createRun(
    {
      root,
      deploymentFile,
      deployment: readDeployment(deploymentFile),
      local: JSON.parse(local) as LocalConfig,
      print,
    },
    {
      ready: { timeoutMs: 60_000, pauseMs: 100 },
      fetch: fetchAt(origin),
      isLockTakenOver: values['take-over-lock'],
    },
  );
  checkDeployment(run);
  await deploy(run);
  print(await describeResult(run, false));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
