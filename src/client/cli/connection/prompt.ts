import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/**
 * Asks for secrets, one line each. What is typed is not shown, and never becomes part of the shell's history. Lines of a
 * pipe are read as well.
 */
export async function askSecrets(questions: readonly string[]): Promise<string[]> {
  const silence = new Writable({ write: (_chunk, _encoding, written) => written() });
  const lines = createInterface({
    input: process.stdin,
    output: silence,
    terminal: process.stdin.isTTY,
  });
  const answers: string[] = [];
  const iterator = lines[Symbol.asyncIterator]();
  for (const question of questions) {
    process.stderr.write(`${question}: `);
    const { value } = await iterator.next();
    process.stderr.write('\n');
    answers.push(typeof value === 'string' ? value.trim() : '');
  }
  lines.close();
  return answers;
}
