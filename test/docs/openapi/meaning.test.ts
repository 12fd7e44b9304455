import { describe, expect, it } from 'vitest';
import { documentTexts } from '../../../src/docs/meaning/meanings.ts';
import { apiOperations, document, documentedOperations } from './support.ts';

const { operations, tags, events, pathParameters } = documentTexts;

/** Places of path parameters, as their texts name them: `catalog/brands/{id}`. */
const pathPlaces = Object.keys(document.paths).flatMap((path) =>
  Array.from(path.matchAll(/\{(\w+)\}/g), ({ index, 0: name }) =>
    (path.slice(0, index) + name).replace(/^\/(?:\{alias\}\/)?/, ''),
  ),
);

describe('the texts of the documentation', () => {
  it.each([
    ['operations', operations, documentedOperations.map(([, { operationId }]) => operationId)],
    ['tags', tags, document.tags.map(({ name }) => name)],
    ['events', events, Object.keys(document.webhooks)],
    ['path parameters', pathParameters, pathPlaces],
  ])('of %s name nothing that does not exist', (_, texts, known) => {
    expect(Object.keys(texts).filter((key) => !known.includes(key))).toEqual([]);
  });

  it('give every operation a summary of its own in each language, without a full stop', () => {
    const texts = apiOperations.map(([, { operationId }]) => operations[operationId]);
    for (const language of ['pt-BR', 'es'] as const) {
      const summaries = texts.map((text) => text?.[language] ?? '');
      expect(summaries.filter((summary) => !/^[A-Z].{4,70}[^.]$/.test(summary))).toEqual([]);
      expect(summaries.filter((summary, index) => summaries.indexOf(summary) !== index)).toEqual(
        [],
      );
    }
  });

  it('say more than the summary', () => {
    const short = apiOperations.filter(
      ([, { summary, description = '' }]) =>
        description.length < 45 || description.startsWith(summary),
    );
    expect(short.map(([name]) => name)).toEqual([]);
  });
});

describe('explain', () => {
  const { Stock, Brand } = document.components.schemas;

  it('describes the record and its fields', () => {
    expect(Brand?.description).toBe('The maker or label of products. A product has at most one.');
    expect(Brand?.properties?.logo_url?.description).toContain('which you host');
  });

  it('wins over the text that a field shares with other records, and leaves no key in the document', () => {
    expect(Stock?.properties?.id?.description).toBe(
      'Id of this record; paths use stock_id instead.',
    );
    expect(JSON.stringify(document)).not.toMatch(/x-(?:fallback-)?meanings/);
  });
});
