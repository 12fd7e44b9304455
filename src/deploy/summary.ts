import { relative } from 'node:path';
import { setupPath } from '../base/page-paths.ts';
import { readSecrets } from './secrets-file.ts';
import type { DeployRun } from './step.ts';

/**
 * Information for an operator after a deployment: the address, the way back, and the first operator. Only a terminal gets
 * the link that makes one: others keep what is printed, such as the log of a CI job.
 */
export async function describeResult(run: DeployRun, isTerminal: boolean): Promise<string> {
  const { deployment, state, paths, root } = run;
  const { release } = state.state;
  const config = relative(root, paths.config);
  const back = release?.previous
    ? `npx wrangler versions deploy ${release.previous}@100% --yes --config ${config}`
    : 'none: this is the first version';
  return `
Live: https://${deployment.host} (version ${release?.version})
Back to the version before: ${back}
${await describeSetup(run, isTerminal)}
/operator is the page of operators; npm run operator -- --help has the same on the command line.`;
}

/** The link that creates the first operator, unless the service reports that there is one. */
async function describeSetup(run: DeployRun, isTerminal: boolean): Promise<string> {
  const { deployment, paths, root } = run;
  const token = encodeURIComponent(readSecrets(paths.secrets)['SETUP_TOKEN'] ?? '');
  const link = `https://${deployment.host}${setupPath(token)}`;
  if (await isSetUp(run, link)) return `Operators sign in at https://${deployment.host}/operator.`;
  return isTerminal
    ? `Make the first operator with this link. It works once, and no longer once there is one:\n  ${link}`
    : `There is no operator yet. The link that makes the first one is printed to a terminal only. It is
  https://${deployment.host}${setupPath('TOKEN')}, with SETUP_TOKEN of ${relative(root, paths.secrets)} for TOKEN.`;
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
