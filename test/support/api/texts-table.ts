import type { OperationGroup } from '../../../src/http/operation.ts';
import { textFields } from './text-fields.ts';

const rules = ['name', 'text', 'code', 'raw'];

/** Renders the table of all fields of bodies that take a text, by the rule that reads it. */
export function textsTable(groups: readonly OperationGroup[]): string {
  const fields = groups.flatMap(({ operations }) =>
    operations.flatMap(({ method, body }) =>
      body && method !== 'GET' ? [...textFields(body)] : [],
    ),
  );
  const rows = rules.map((rule) => {
    const names = fields.flatMap((one) => (one.rule === rule ? [`\`${one.field}\``] : []));
    return `| \`${rule}\` | ${[...new Set(names)].sort().join(', ')} |`;
  });
  return ['| Rule | Fields |', '|---|---|', ...rows].join('\n');
}
