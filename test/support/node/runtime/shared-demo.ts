import { spawn } from 'node:child_process';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeOnce } from './make-once.ts';

/** The demo that files of a run share. */
export interface SharedDemo {
  /** The origin, without a trailing slash. */
  origin: string;
}

/**
 * Returns the demo that files of a run share; the first of them starts it. Others write into its
 * stores meanwhile, so a file asks for what it made itself, or takes a store that no other one
 * names.
 */
export async function useDemo(): Promise<SharedDemo> {
  const folder = await makeOnce('shared-demo', async (made) => {
    const script = join(import.meta.dirname, 'shared-demo-process.ts');
    // It ends with the run, the parent of this worker.
    const args = ['--no-warnings', script, `${process.ppid}`, join(made, 'demo.json')];
    const errors = join(made, 'errors.txt');
    // An output of this worker, which it would hold, would keep the worker from ending.
    const stdio = ['ignore', 'ignore', openSync(errors, 'w')] as const;
    const child = spawn(process.execPath, args, { detached: true, stdio: [...stdio] });
    while (!existsSync(join(made, 'demo.json'))) {
      if (child.exitCode !== null) throw new Error(readFileSync(errors, 'utf8'));
      await setTimeout(50);
    }
    child.unref();
  });
  return JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as SharedDemo;
}
