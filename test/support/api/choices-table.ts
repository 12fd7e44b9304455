import { noteOf, type OperationGroup } from '../../../src/http/operation.ts';

/**
 * Renders the table of behaviour that the specification leaves open, from the notes of its
 * operations (`endpoints.tsv`).
 */
export function choicesTable(groups: readonly OperationGroup[], endpoints: string): string {
  const specified = new Set(
    endpoints.split('\n').map((line) => {
      const [, method, path] = line.split('\t');
      return `${method} ${path}`;
    }),
  );
  const routesByNote = new Map<string, string[]>();
  for (const operation of groups.flatMap(({ operations }) => operations)) {
    const note = noteOf(operation);
    if (!note || !specified.has(operation.route)) continue;
    routesByNote.set(note, [...(routesByNote.get(note) ?? []), `\`${operation.route}\``]);
  }
  const rows = Array.from(routesByNote, ([note, routes]) => `| ${routes.join(', ')} | ${note} |`);
  return ['| Operation | Behaviour |', '|---|---|', ...rows].join('\n');
}
