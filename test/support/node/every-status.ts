import type { Reporter, TestModule, Vitest } from 'vitest/node';
import '../answers.ts';
import { missingStatuses } from '../missing-statuses.ts';

/** Fails a run of every file in which a row has no test, named by the status, for a status that it may answer. */
export default class EveryStatus implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest) {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]) {
    if (!(await this.#isWhole(modules))) return;
    const tests = modules.flatMap((module) => [...module.children.allTests('passed')]);
    const missing = missingStatuses(
      tests.map((test) => ({ name: test.name, answers: test.meta().answers ?? [] })),
    );
    if (missing.length === 0) return;
    process.exitCode = 1;
    console.error('\nNo test, named by the status, in which these rows answer it:');
    for (const line of missing) console.error(`  ${line}`);
  }

  async #isWhole(modules: readonly TestModule[]) {
    const all = await this.#vitest?.globTestSpecifications();
    const pattern = this.#vitest?.config.testNamePattern;
    return all?.length === modules.length && pattern === undefined;
  }
}
