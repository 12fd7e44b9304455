import type { Reporter, TestModule, Vitest } from 'vitest/node';
import '../api/observed-statuses.ts';
import { missingCodes } from '../api/missing-codes.ts';
import { missingStatuses } from '../api/missing-statuses.ts';

/**
 * Fails a run of the whole suite unless each documented status of each operation has a test that
 * gets it and names it in its title. Each error code needs a test that gets it, too.
 */
export default class StatusCoverageReporter implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest) {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]) {
    if (!(await this.#isWholeSuite(modules))) return;
    const tests = modules.flatMap((module) => [...module.children.allTests('passed')]);
    const missing = missingStatuses(
      tests.map((test) => ({ name: test.name, statuses: test.meta().observedStatuses ?? [] })),
    );
    this.#fail('gets these statuses and names them in its title', missing);
    const codes = missingCodes(tests.map((test) => ({ codes: test.meta().observedCodes ?? [] })));
    this.#fail('gets an error with these codes', codes);
  }

  #fail(what: string, missing: readonly string[]) {
    if (missing.length === 0) return;
    process.exitCode = 1;
    console.error(`\nNo passing test ${what}:`);
    for (const line of missing) console.error(`  ${line}`);
  }

  async #isWholeSuite(modules: readonly TestModule[]) {
    const all = await this.#vitest?.globTestSpecifications();
    const pattern = this.#vitest?.config.testNamePattern;
    // A slow run has few of the files, and a run of other projects alone calls no operation.
    if (process.env.SLOW !== undefined) return false;
    const callsOperations = modules.some(({ project }) => project.name.startsWith('worker'));
    return callsOperations && all?.length === modules.length && pattern === undefined;
  }
}
