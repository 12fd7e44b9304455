import type { Section } from '../../src/http/operation.ts';

/** The README's table of choices, made from the notes of the rows. */
export function choicesTable(sections: readonly Section[]): string {
  const rows = sections.flatMap(({ operations }) =>
    operations.flatMap(({ route, note }) => (note ? [`| \`${route}\` | ${note} |`] : [])),
  );
  return ['| Row | What we chose |', '|---|---|', ...rows].join('\n');
}
