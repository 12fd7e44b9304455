import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * The output of a program of another author, with its exit code and the number of the links that it
 * asked to open.
 */
interface ProgramResult {
  code: number | null;
  stdout: string;
  output: string;
  followed: number;
}

/**
 * Runs a program of Node to its end. Calls `follow` once with each link to a consent page that it
 * prints.
 */
export async function runProgram(
  args: readonly string[],
  {
    env,
    follow,
  }: {
    /** Replaces the environment. */
    env?: Record<string, string>;
    follow?: (link: string) => Promise<void>;
  } = {},
): Promise<ProgramResult> {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: (env ?? process.env) as NodeJS.ProcessEnv,
  });
  let [output, stdout] = ['', ''];
  const followed = new Map<string, Promise<void>>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (stream === child.stdout) stdout += chunk.toString();
      for (const [link] of output.matchAll(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/g)) {
        if (follow && !followed.has(link)) followed.set(link, follow(link));
      }
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  await Promise.all(followed.values());
  return { code, stdout, output, followed: followed.size };
}
