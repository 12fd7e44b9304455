import { relative } from 'node:path';
import type { DeployRun } from './step.ts';

/** What an operator needs after a deployment: the address, the way back, and the first operator. */
export function describeResult({ deployment, state, paths, root }: DeployRun): string {
  const { release } = state.state;
  const config = relative(root, paths.config);
  const back = release?.previous
    ? `npx wrangler versions deploy ${release.previous}@100% --yes --config ${config}`
    : 'none: this is the first version';
  return `
Live: https://${deployment.host} (version ${release?.version})
Back to the version before: ${back}

The first operator: users, stores and memberships are rows of the directory. Print the hash of a password with
  PASSWORD='...' npx node -e "import('./src/session/password.ts').then(async (m) => console.log(await m.hashPassword(process.env.PASSWORD)))"
then write the rows; src/platform/OPERATIONS.md has the statements:
  npx wrangler d1 execute DIRECTORY --remote --config ${config} --file first-operator.sql
/account and /partners are the pages to sign in at.`;
}
