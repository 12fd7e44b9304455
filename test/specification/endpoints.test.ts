import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { topLevelFields } from '../support/api/json-schema.ts';
import { operations } from '../support/api/operations.ts';
import additions from './additions.tsv?raw';
import endpoints from './endpoints.tsv?raw';

/** A row of a table of the specification, transcribed. */
interface Transcribed {
  heading: string;
  method: string;
  path: string;
  status: string;
  success: string;
  others: string;
}

function parse(table: string): Transcribed[] {
  const [head = '', ...lines] = table.trim().split('\n');
  const names = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(
      names.map((name, index) => [name, cells[index] ?? '']),
    ) as unknown as Transcribed;
  });
}

const specified = parse(endpoints);
const added = parse(additions);
const routeOf = ({ method, path }: Transcribed) => `${method} ${path}`;
const operationsByRoute = new Map<string, Operation>(
  operations.map((operation) => [operation.route, operation]),
);

/** The headings of the specification with endpoint tables. */
const headings = [
  'User',
  'Brands',
  'Bundles (kits)',
  'Categories',
  'Collections',
  'Product comments',
  'Customizations',
  'Feeds',
  'Filter values',
  'Flags',
  'Payment configuration',
  'E-mail configuration',
  'Transactions',
  'Webhooks',
];

/** The top-level members of the body that the cell "Success" names. */
function envelopeOf({ success }: Transcribed): string[] | 'record' | undefined {
  const siblings = success.includes('`answer`') ? ['answer'] : [];
  if (success.includes('(paged)')) return ['data', 'meta', ...siblings];
  // A list that the specification shows as a plain array may have `meta` as well, so only named
  // siblings are compared.
  if (success.includes('plus `meta`')) return ['data', 'meta'];
  if (siblings.length > 0) return ['data', ...siblings];
  if (success.includes('{data:')) return ['data'];
  if (/^(\d+ )?[A-Z]\w+$/.test(success)) return 'record';
  return undefined;
}

describe('operations of the specification', () => {
  it('are 58 in the transcribed tables', () => expect(specified).toHaveLength(58));

  it.each(headings)('exist for every row under %s', (heading) => {
    const rows = specified.filter((row) => row.heading === heading);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(operationsByRoute.has(routeOf(row)), routeOf(row)).toBe(true);
  });

  it.each(
    specified
      .filter((row) => operationsByRoute.has(routeOf(row)))
      .map((row) => [routeOf(row), row] as const),
  )('%s has the listed success and errors', (name, row) => {
    const operation = operationsByRoute.get(name)!;
    const success = row.status === '' ? (row.method === 'POST' ? 201 : 200) : Number(row.status);
    expect(operation.reply.status).toBe(success);
    expect(operation.errors.join(' ')).toBe(row.others);
    const envelope = envelopeOf(row);
    if (!envelope) return;
    const members = topLevelFields(operation.reply.schema);
    if (envelope === 'record') expect(members).toContain('id');
    else expect(members).toEqual(envelope);
  });

  it('are all operations, together with the additions', () => {
    const known = new Set([...specified, ...added].map(routeOf));
    expect(operations.map(({ route }) => route).filter((route) => !known.has(route))).toEqual([]);
  });

  it.each(added.map((row) => [routeOf(row), row] as const))(
    '%s is an addition with the listed success and errors',
    (name, row) => {
      const operation = operationsByRoute.get(name);
      expect(operation?.reply.status).toBe(Number(row.status));
      expect(operation?.errors.join(' ')).toBe(row.others);
    },
  );

  it('have unique ids', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });
});
