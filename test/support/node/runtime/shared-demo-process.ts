/**
 * `node shared-demo-process.ts {run} {file}`: serves the demo as long as the process `run` is
 * there. Writes the origin into the file.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { startDemo } from './demo.ts';
import { isAlive } from './processes.ts';

const [run = '', file = ''] = process.argv.slice(2);
const { origin, close } = await startDemo();
writeFileSync(`${file}.new`, JSON.stringify({ origin }));
renameSync(`${file}.new`, file);
setInterval(() => {
  if (!isAlive(Number(run))) void close().then(() => process.exit());
}, 500);
