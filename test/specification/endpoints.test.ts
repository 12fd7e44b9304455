import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { sections } from '../../src/operations.ts';
import { membersOf } from '../support/members-of.ts';
import additions from './additions.tsv?raw';
import endpoints from './endpoints.tsv?raw';

/** A row of a transcribed table. */
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
      names.map((name, at) => [name, cells[at] ?? '']),
    ) as unknown as Transcribed;
  });
}

const specified = parse(endpoints);
const added = parse(additions);
const operations = sections.flatMap((section) => section.operations);
const nameOf = ({ method, path }: Transcribed) => `${method} ${path}`;
const built = new Map<string, Operation>(operations.map((row) => [row.route, row]));

/** The headings of the specification whose rows are all here. */
const finished = [
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

/** The envelope that the cell "Success" names, as the names of the body's top level. */
function envelopeOf({ success }: Transcribed): string[] | 'record' | undefined {
  const beside = success.includes('`answer`') ? ['answer'] : [];
  if (success.includes('(paged)')) return ['data', 'meta', ...beside];
  // A plain array may page all the same (contract 1.7), so only what is named besides is compared.
  if (success.includes('plus `meta`')) return ['data', 'meta'];
  if (beside.length > 0) return ['data', ...beside];
  if (success.includes('{data:')) return ['data'];
  if (/^(\d+ )?[A-Z]\w+$/.test(success)) return 'record';
  return undefined;
}

describe('the rows of the specification', () => {
  it('transcribes 58 rows', () => expect(specified).toHaveLength(58));

  it.each(finished)('has every row under %s', (heading) => {
    const rows = specified.filter((row) => row.heading === heading);
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(built.has(nameOf(row)), nameOf(row)).toBe(true);
  });

  it.each(
    specified.filter((row) => built.has(nameOf(row))).map((row) => [nameOf(row), row] as const),
  )('%s answers as listed', (name, row) => {
    const operation = built.get(name)!;
    const success = row.status === '' ? (row.method === 'POST' ? 201 : 200) : Number(row.status);
    expect(operation.reply.status).toBe(success);
    expect(operation.rejects.join(' ')).toBe(row.others);
    const envelope = envelopeOf(row);
    if (!envelope) return;
    const members = membersOf(operation.reply.schema);
    if (envelope === 'record') expect(members).toContain('id');
    else expect(members).toEqual(envelope);
  });

  it('has no other row than these and the additions', () => {
    const known = new Set([...specified, ...added].map(nameOf));
    expect(operations.map((row) => row.route).filter((route) => !known.has(route))).toEqual([]);
  });

  it.each(added.map((row) => [nameOf(row), row] as const))('addition %s', (name, row) => {
    const operation = built.get(name);
    expect(operation?.reply.status).toBe(Number(row.status));
    expect(operation?.rejects.join(' ')).toBe(row.others);
  });

  it('gives each row an id of its own', () => {
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });
});
