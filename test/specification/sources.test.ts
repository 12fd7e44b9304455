import { describe, expect, it } from 'vitest';
import { statusesOf, type Operation } from '../../src/http/operation.ts';
import { eventNames } from '../../src/events/catalogue.ts';
import { sections } from '../../src/operations.ts';
import { membersOf } from '../support/members-of.ts';
import sources from './sources.tsv?raw';

/** The tables of the event sources as they were written: a line may be of several methods. */
const lines = sources
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [, methods = '', path = '', success = '', others = '', emits = ''] = line.split('\t');
    const listed = others.split(', ').filter(Boolean).map(Number);
    return { methods: methods.split(', '), path, success, listed, emits };
  });

const operations = sections.flatMap((section) => section.operations);
const built = new Map<string, Operation>(operations.map((row) => [row.route, row]));

/** What our rows refuse besides, and why: a refused order that waits for payment again reserves its units anew. */
const more = new Map([['PUT /{alias}/orders/{id}', [409]]]);

const statusOf = (success: string, method: string, isAlone: boolean) => {
  if (isAlone) return Number(success.slice(0, 3));
  return method === 'POST' ? 201 : 200;
};

describe('the rows of the event sources', () => {
  it.each(lines.map((line) => [`${line.methods.join(', ')} ${line.path}`, line] as const))(
    '%s answer as listed',
    (_name, { methods, path, success, listed }) => {
      const rows = methods.map((method) => built.get(`${method} ${path}`));
      expect(rows).not.toContain(undefined);
      for (const [place, row] of rows.entries()) {
        const method = methods[place] ?? '';
        expect(row?.reply.status, method).toBe(statusOf(success, method, methods.length === 1));
        const besides = more.get(`${method} ${path}`) ?? [];
        for (const status of row?.rejects ?? []) expect([...listed, ...besides]).toContain(status);
        if (!row || method !== 'GET' || !success.includes('(paged)')) continue;
        expect(membersOf(row.reply.schema)).toEqual(['data', 'meta']);
        expect(row.query?.names).toContain('limit');
      }
      const answered = rows.flatMap((row) => (row ? statusesOf(row) : []));
      for (const status of listed) expect(answered).toContain(status);
    },
  );

  it('name no event that is not in the catalogue', () => {
    const named = lines.flatMap(({ emits }) => emits.match(/\b[a-z]+(\.[a-z]+)+\b/g) ?? []);
    expect(new Set(named).size).toBeGreaterThan(10);
    for (const name of named) expect(eventNames).toContain(name);
  });
});
