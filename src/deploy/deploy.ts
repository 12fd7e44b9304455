/**
 * `npm run deploy` (runs in Node, is not part of the Worker). It brings the service of this folder to Cloudflare, as the
 * deployment file says, and can be repeated at any time. `--dry-run` prints the plan; `--take-over-host`
 * replaces what has the host now, `--take-over-lock` takes the turn from a run that died.
 * `--break-callers` brings a release that breaks what the API promises.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDocs } from '../docs/build/ensure-docs.ts';
import { readDeployment } from './deployment-file.ts';
import { readLocalConfig } from './local-config.ts';
import { checkDeployment, deploy, printPlan } from './run-deployment.ts';
import { createRun } from './step.ts';
import { describeResult } from './summary.ts';

const root = resolve(import.meta.dirname, '../..');

const print = (line: string) => console.log(line);

try {
  const { values } = parseArgs({
    options: {
      file: { type: 'string', default: 'deployment.json' },
      'dry-run': { type: 'boolean', default: false },
      'take-over-host': { type: 'boolean', default: false },
      'take-over-lock': { type: 'boolean', default: false },
      'break-callers': { type: 'boolean', default: false },
    },
  });
  const deploymentFile = resolve(values.file);
  const deployment = readDeployment(deploymentFile);
  const local = readLocalConfig(root);
  const run = createRun(
    { root, deploymentFile, deployment, local, print },
    {
      isHostTakenOver: values['take-over-host'],
      isLockTakenOver: values['take-over-lock'],
      mayBreakCallers: values['break-callers'],
    },
  );
  checkDeployment(run);
  if (values['dry-run']) printPlan(run);
  else {
    const problems = await ensureDocs(root);
    if (problems.length > 0) throw new Error(`npm run build:docs: ${problems.join('\n')}`);
    await deploy(run);
    print(await describeResult(run, process.stdout.isTTY));
  }
} catch (error) {
  console.error(`npm run deploy: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
