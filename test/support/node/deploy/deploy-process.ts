/** Deploys the project of a test with the real wrangler: `node deploy-process.ts {root} {origin of the account} [--take-over-lock]`. */
import { parseArgs } from 'node:util';
import { fetchAt } from './account-server.ts';
import { runDeployment } from './project.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'take-over-lock': { type: 'boolean', default: false } },
});
const [root = '', origin = ''] = positionals;
const print = (line: string) => console.log(line);
try {
  await runDeployment(root, print, {
    fetch: fetchAt(origin),
    isLockTakenOver: values['take-over-lock'],
  });
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
