/**
 * `npm run deploy` (runs in Node, is not part of the Worker). It brings the service of this folder
 * to Cloudflare, as the deployment file says, and can be repeated at any time. `--dry-run` prints
 * the plan; `--take-over-host` replaces what has the host now, `--replace-lost` makes databases
 * again that are gone. `--break-callers` brings a release that breaks what the API promises.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDocs } from '../docs/build/ensure-docs.ts';
import { readDeployment } from './deployment-file.ts';
import { readLocalConfig } from './local-config.ts';
import { deploy, describeResult, printPlan } from './run-deployment.ts';
import { createRun } from './run.ts';

const root = resolve(import.meta.dirname, '../..');

const print = (line: string) => console.log(line);

try {
  const { values } = parseArgs({
    options: {
      file: { type: 'string', default: 'deployment.json' },
      'dry-run': { type: 'boolean', default: false },
      'take-over-host': { type: 'boolean', default: false },
      'replace-lost': { type: 'boolean', default: false },
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
      isLossAccepted: values['replace-lost'],
      mayBreakCallers: values['break-callers'],
    },
  );
  if (values['dry-run']) await printPlan(run);
  else {
    const problems = await ensureDocs(root);
    if (problems.length > 0) throw new Error(`npm run build:docs: ${problems.join('\n')}`);
    const release = await deploy(run);
    print(await describeResult(run, release, process.stdout.isTTY));
  }
} catch (error) {
  console.error(`npm run deploy: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
