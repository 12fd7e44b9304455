/**
 * Runs `npm run deploy` for the project of a test, with the real wrangler: `node deploy-process.ts
 * {root} {origin of the account} {local configuration}`. The caller has read the configuration,
 * since a process takes a second to load what reads it.
 */
import { join } from 'node:path';
import { readDeployment } from '../../../../src/deploy/deployment-file.ts';
import type { LocalConfig } from '../../../../src/deploy/local-config.ts';
import { deploy, describeResult } from '../../../../src/deploy/run-deployment.ts';
import { createRun } from '../../../../src/deploy/run.ts';
import { fetchAt } from './account-server.ts';

const [root = '', origin = '', local = ''] = process.argv.slice(2);
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
    { ready: { timeoutMs: 60_000, pauseMs: 100 }, fetch: fetchAt(origin) },
  );
  print(await describeResult(run, await deploy(run), false));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
