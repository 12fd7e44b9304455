import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';
import { statusesOf } from '../../../src/http/operation.ts';
import { sections } from '../../../src/operations.ts';
import '../answers.ts';

/** Every status that the document gives a row, but 500: a test that knew how to get one would be a bug to mend. */
const documented = sections
  .flatMap(({ operations }) => operations)
  .flatMap((row) => {
    const statuses = [row.reply.status, ...statusesOf(row), 401, 429, 503];
    return statuses.map((status) => ({ route: row.route, id: row.id, status }));
  });

/**
 * Fails a whole run in which a row has no test for a status that it may answer. A test counts when the row
 * answered with the status in it, was checked against the document, and the name of the test says the status.
 */
export default class EveryStatus implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest) {
    this.#vitest = vitest;
  }

  async onTestRunEnd(modules: readonly TestModule[]) {
    if (!(await this.#isWhole(modules))) return;
    const shown = new Set(
      modules.flatMap((module) => [...module.children.allTests()]).flatMap(answersNamed),
    );
    const missing = documented.filter(({ id, status }) => !shown.has(`${id} ${status}`));
    if (missing.length === 0) return;
    process.exitCode = 1;
    console.error('\nNo test, named by the status, in which these rows answer it:');
    for (const { route, status } of missing) console.error(`  ${status} ${route}`);
  }

  /** Whether every file ran, and every test in it that is not still to be written. */
  async #isWhole(modules: readonly TestModule[]) {
    const all = await this.#vitest?.globTestSpecifications();
    const pattern = this.#vitest?.config.testNamePattern;
    return all?.length === modules.length && pattern === undefined;
  }
}

/** The answers of a test that passed whose status its name says. */
function answersNamed(test: TestCase): string[] {
  if (test.result().state !== 'passed') return [];
  const names = new Set(test.name.match(/\b[1-5]\d\d\b/g));
  return (test.meta().answers ?? []).filter((answer) => names.has(answer.split(' ')[1] ?? ''));
}
