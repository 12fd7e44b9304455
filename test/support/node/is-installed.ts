import { spawnSync } from 'node:child_process';

/** Whether this machine has a program, so that what needs it is left out where it does not. */
export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;
