/**
 * `node test/install.ts test/clients`: installs the packages of such a folder, which `npm ci` of
 * the project leaves out. Does nothing if they are those of its lock file already.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

for (const folder of process.argv.slice(2)) {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  /** A copy of the lock file that was installed last; `npm ci` deletes it with the packages. */
  const installed = join(folder, 'node_modules/.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) continue;
  console.log(`Installing the packages of ${folder}.`);
  const shell = process.platform === 'win32';
  execFileSync('npm', ['ci', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell,
  });
  writeFileSync(installed, lock);
}
