import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * The statuses that operations returned in a test, as `<operation id> <status>`. A trailing
     * ` key` marks a response about an idempotency key. Read by `setup/status-coverage-reporter`.
     */
    observedStatuses?: string[];
    /** The codes of the errors that a test got. */
    observedCodes?: string[];
  }
}

/** Records in the running test that an operation returned a status. */
export function recordStatus(operation: string, status: number, isAboutKey: boolean) {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (!meta) return;
  const observed = (meta.observedStatuses ??= []);
  const entry = `${operation} ${status}${isAboutKey ? ' key' : ''}`;
  if (!observed.includes(entry)) observed.push(entry);
}

/** Records in the running test that the service returned an error with this code. */
export function recordCode(code: string) {
  const meta = TestRunner.getCurrentTest()?.meta;
  if (!meta) return;
  const observed = (meta.observedCodes ??= []);
  if (!observed.includes(code)) observed.push(code);
}
