/** Deploys the project of a test with the real wrangler: `node deploy-process.ts {root} {origin of the account} [flags]`. */
import { parseArgs } from 'node:util';
import { fetchAt } from './account-server.ts';
import { runDeployment } from './project.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'take-over-lock': { type: 'boolean', default: false } },
});
const [root = '', origin = ''] = positionals;
try {
  await runDeployment(root, (line) => console.log(line), {
    fetch: fetchAt(origin),
    isLockTakenOver: values['take-over-lock'],
  });
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
