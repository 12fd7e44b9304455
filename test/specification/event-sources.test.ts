import { describe, expect, it } from 'vitest';
import { eventNames } from '../../src/data/grants/event-catalogue.ts';
import { errorStatuses, type Operation } from '../../src/http/operation.ts';
import { topLevelFields } from '../support/api/json-schema.ts';
import { operations } from '../support/api/operations.ts';
import sources from './event-sources.tsv?raw';

/** The tables of operations that emit events. A line may have several methods. */
const lines = sources
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [, methods = '', path = '', success = '', others = '', emits = ''] = line.split('\t');
    const listed = others.split(', ').filter(Boolean).map(Number);
    return { methods: methods.split(', '), path, success, listed, emits };
  });

const operationsByRoute = new Map<string, Operation>(
  operations.map((operation) => [operation.route, operation]),
);

/**
 * Further errors of our operations. An order that returns to waiting for payment reserves its units
 * again (409).
 */
const furtherErrors = new Map([['PUT /{alias}/orders/{id}', [409]]]);

const statusOf = (success: string, method: string, isSingle: boolean) => {
  if (isSingle) return Number(success.slice(0, 3));
  return method === 'POST' ? 201 : 200;
};

describe('operations that emit events', () => {
  it.each(lines.map((line) => [`${line.methods.join(', ')} ${line.path}`, line] as const))(
    '%s have the listed success and errors',
    (_name, { methods, path, success, listed }) => {
      const lineOperations = methods.map((method) => operationsByRoute.get(`${method} ${path}`));
      expect(lineOperations).not.toContain(undefined);
      for (const [index, operation] of lineOperations.entries()) {
        const method = methods[index] ?? '';
        expect(operation?.reply.status, method).toBe(
          statusOf(success, method, methods.length === 1),
        );
        const further = furtherErrors.get(`${method} ${path}`) ?? [];
        for (const status of operation?.errors ?? [])
          expect([...listed, ...further]).toContain(status);
        if (!operation || method !== 'GET' || !success.includes('(paged)')) continue;
        expect(topLevelFields(operation.reply.schema)).toEqual(['data', 'meta']);
        expect(operation.query?.names).toContain('limit');
      }
      const documented = lineOperations.flatMap((operation) =>
        operation ? errorStatuses(operation) : [],
      );
      for (const status of listed) expect(documented).toContain(status);
    },
  );

  it('name only events of the catalogue', () => {
    const named = lines.flatMap(({ emits }) => emits.match(/\b[a-z]+(\.[a-z]+)+\b/g) ?? []);
    expect(new Set(named).size).toBeGreaterThan(10);
    for (const name of named) expect(eventNames).toContain(name);
  });
});
