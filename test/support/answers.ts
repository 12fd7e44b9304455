import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * The rows that answered in a test, as `operation id status`, with `key` behind it when the answer is about an
     * idempotency key; read by `node/every-status`.
     */
    answers?: string[];
  }
}

/** Notes in the running test that a row answered with a status. */
export function noteAnswer(operation: string, status: number, isAboutKey: boolean) {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (!meta) return;
  const answers = (meta.answers ??= []);
  const answer = `${operation} ${status}${isAboutKey ? ' key' : ''}`;
  if (!answers.includes(answer)) answers.push(answer);
}
