/**
 * `node seed-process.ts {folder} {demo | empty}`: makes the databases of the demo, or empty ones,
 * in a folder.
 */
import { resolve } from 'node:path';
import { applyMigrations } from '../../../../src/demo/node/migrate.ts';
import { openLocalRuntime } from '../../../../src/demo/node/runtime.ts';
import { openShards, seedDemo } from '../../../../src/demo/seed/seed.ts';

const [state = '', mode] = process.argv.slice(2);
const { databases, getSetupBindings, close } = await openLocalRuntime({
  root: resolve(import.meta.dirname, '../../../..'),
  port: 0,
  state,
  script: '',
  onLog: () => undefined,
});
for (const database of databases) await applyMigrations(database);
const bindings = await getSetupBindings();
await (mode === 'empty' ? openShards(bindings) : seedDemo(bindings, Date.now()));
await close();
