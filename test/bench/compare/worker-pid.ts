import { readdirSync, readFileSync } from 'node:fs';

/** Returns the child of a process that runs Workers; Linux only. */
export function findWorkerPid(parent: number): number {
  const child = readdirSync('/proc').find((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      const [, of] = /\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      return (
        of === String(parent) && readFileSync(`/proc/${name}/comm`, 'utf8').startsWith('workerd')
      );
    } catch {
      return false;
    }
  });
  return Number(child);
}
