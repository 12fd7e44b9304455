import { spawnSync } from 'node:child_process';

/** Returns whether a program is installed; tests that need it are skipped otherwise. */
export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
