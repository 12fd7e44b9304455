/**
 * Runs the checks beside the tests (`npm test`). The checks print when they have ended, so that
 * both outputs can be read. Exits with 1 if either fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs `npm run check`. Returns its output and whether it succeeded. */
async function check() {
  const child = spawn('npm', ['run', 'check'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // The type checker and the linter collect garbage half as often, which takes a third of their
    // time.
    env: { GOGC: '400', ...process.env },
  });
  const closed = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { output: `${out}${err}`, succeeded: code === 0 };
}

const checking = check();
const tests = spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit' });
const [code] = await once(tests, 'close');
const { output, succeeded } = await checking;
console.log(succeeded ? '\nnpm run check: passed' : `\n${output}\nnpm run check: failed`);
process.exitCode = code === 0 && succeeded ? 0 : 1;
