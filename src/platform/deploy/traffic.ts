import * as z from 'zod';
import type { DeployRun } from './step.ts';
import { CommandError } from './wrangler.ts';

const deploymentStatus = z.object({
  versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })),
});

/** The versions that have the traffic now; `undefined` if there is no Worker yet. */
export async function readTraffic({ wrangler, deployment }: DeployRun) {
  try {
    const status = ['deployments', 'status', '--json', '--name', deployment.name];
    return deploymentStatus.parse(await wrangler.runJson(status)).versions;
  } catch (error) {
    if (error instanceof CommandError && error.hasCode(10007, 10090)) return undefined;
    throw error;
  }
}
