import { relative } from 'node:path';
import { readSecrets } from './secrets-file.ts';
import type { DeployRun } from './step.ts';

/** Information for an operator after a deployment: the address, the way back, and the first operator. */
export async function describeResult(run: DeployRun): Promise<string> {
  const { deployment, state, paths, root } = run;
  const { release } = state.state;
  const config = relative(root, paths.config);
  const back = release?.previous
    ? `npx wrangler versions deploy ${release.previous}@100% --yes --config ${config}`
    : 'none: this is the first version';
  return `
Live: https://${deployment.host} (version ${release?.version})
Back to the version before: ${back}

${await describeSetup(run)}
/operator is the page of operators; npm run operator -- --help has the same on the command line.`;
}

/** The link that creates the first operator, unless the service reports that there is one. */
async function describeSetup(run: DeployRun): Promise<string> {
  const { deployment, paths } = run;
  const token = encodeURIComponent(readSecrets(paths.secrets)['SETUP_TOKEN'] ?? '');
  const link = `https://${deployment.host}/setup?token=${token}`;
  return (await isSetUp(run, link))
    ? `Operators sign in at https://${deployment.host}/operator.`
    : `Make the first operator with this link. It works once, and no longer once there is one:\n  ${link}`;
}

/** Whether there is an operator: the link is a 404 then. `false` if the service does not answer. */
async function isSetUp(run: DeployRun, link: string): Promise<boolean> {
  try {
    const options = { redirect: 'manual', signal: AbortSignal.timeout(15_000) } as const;
    return (await run.fetch(link, options)).status === 404;
  } catch {
    return false;
  }
}
