import { noteOf, type OperationGroup } from '../../../src/http/operation.ts';

/** Renders the table of behaviour that the specification leaves open, from the notes of the operations. */
export function choicesTable(groups: readonly OperationGroup[]): string {
  const rows = groups.flatMap(({ operations }) =>
    operations.flatMap((operation) => {
      const note = noteOf(operation);
      return note ? [`| \`${operation.route}\` | ${note} |`] : [];
    }),
  );
  return ['| Operation | Behaviour |', '|---|---|', ...rows].join('\n');
}
