import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /**
     * The statuses that operations returned in a test, as `<operation id> <status>`. A trailing ` key` marks a response
     * about an idempotency key. Read by `setup/status-coverage-reporter`.
     */
    observedStatuses?: string[];
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
