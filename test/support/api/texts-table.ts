import type { OperationGroup } from '../../../src/http/operation.ts';
import { textFields } from './text-fields.ts';

const rules = ['name', 'text', 'code', 'raw'];

/** Renders the table of all fields of bodies that take a text, by the rule that reads it. */
export function textsTable(groups: readonly OperationGroup[]): string {
  const rows = groups.flatMap(({ operations }) => {
    const idsByCells = new Map<string, string[]>();
    for (const { id, method, body } of operations) {
      const fields = body && method !== 'GET' ? [...textFields(body)] : [];
      if (fields.length === 0) continue;
      const cells = rules.map((rule) =>
        [...new Set(fields.flatMap((one) => (one.rule === rule ? [one.field] : [])))]
          .sort()
          .map((field) => `\`${field}\``)
          .join(', '),
      );
      const key = cells.join(' | ');
      idsByCells.set(key, [...(idsByCells.get(key) ?? []), `\`${id}\``]);
    }
    return Array.from(idsByCells, ([cells, ids]) => `| ${ids.join(', ')} | ${cells} |`);
  });
  return [`| Operations | ${rules.join(' | ')} |`, '|---|---|---|---|---|', ...rows].join('\n');
}
