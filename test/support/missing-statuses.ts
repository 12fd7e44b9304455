import { keyStatuses, ownStatusesOf, takesKey } from '../../src/http/operation.ts';
import { sections } from '../../src/operations.ts';

/** A test that passed, and the answers that it had, each as `operation id status` (`answers.ts`). */
export interface Answered {
  name: string;
  answers: readonly string[];
}

/** Every status that the document gives a row, but 500: a test that knew how to get one would be a bug to mend. */
const documented = sections
  .flatMap(({ operations }) => operations)
  .flatMap((row) => {
    const own = [row.reply.status, ...ownStatusesOf(row), 401, 429, 503];
    return [
      ...own.map((status) => ({ what: `${status} ${row.route}`, answer: `${row.id} ${status}` })),
      ...(takesKey(row) ? keyStatuses : []).map((status) => ({
        what: `${status} ${row.route} for its idempotency key`,
        answer: `${row.id} ${status} key`,
      })),
    ];
  });

/**
 * The rows and statuses, as `status route`, for which there is no test: one counts when the row answered with
 * the status in it, and the name of the test says the status.
 */
export function missingStatuses(tests: readonly Answered[]): string[] {
  const shown = new Set(tests.flatMap(answersNamed));
  return documented.filter(({ answer }) => !shown.has(answer)).map(({ what }) => what);
}

function answersNamed({ name, answers }: Answered): string[] {
  const named = new Set(name.match(/\b[1-5]\d\d\b/g));
  return answers.filter((answer) => named.has(answer.split(' ')[1] ?? ''));
}
