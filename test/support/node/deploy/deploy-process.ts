/**
 * Deploys the project of a test with the real wrangler, or restores a store of it:
 * `node deploy-process.ts {root} {origin of the account} [--take-over-lock] [--store {id} --at {epoch milliseconds}]`.
 */
import { parseArgs } from 'node:util';
import { fetchAt } from './account-server.ts';
import { runDeployment, runRestore } from './project.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    'take-over-lock': { type: 'boolean', default: false },
    store: { type: 'string' },
    at: { type: 'string' },
  },
});
const [root = '', origin = ''] = positionals;
// The bucket of copies is asked by the `fetch` of the process.
globalThis.fetch = fetchAt(origin);
const print = (line: string) => console.log(line);
const ends = { fetch: globalThis.fetch, isLockTakenOver: values['take-over-lock'] };
try {
  if (values.store === undefined) await runDeployment(root, print, ends);
  else {
    const wanted = { storeId: Number(values.store), at: Number(values.at) };
    await runRestore(root, print, wanted, ends);
  }
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
