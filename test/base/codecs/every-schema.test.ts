import { describe, expect, it } from 'vitest';
import {
  arrayOf,
  object,
  orDataWrapped,
} from '../../../src/base/codecs/fields/arrays-and-objects.ts';
import { cnpj, cpf } from '../../../src/base/codecs/fields/brazilian-documents.ts';
import { dateTimeInput } from '../../../src/base/codecs/fields/date-time.ts';
import { idsOrBracketed, recordId, ids, pathId } from '../../../src/base/codecs/fields/ids.ts';
import { orNull } from '../../../src/base/codecs/fields/nullable.ts';
import { bool, money, int, number, percent } from '../../../src/base/codecs/fields/scalars.ts';
import {
  colour,
  email,
  host,
  phone,
  slug,
  url,
} from '../../../src/base/codecs/fields/string-formats.ts';
import {
  line,
  verbatimText,
  text,
  choice,
  textMatching,
} from '../../../src/base/codecs/fields/text.ts';
import { runInZone } from '../../../src/base/codecs/fields/zone.ts';
import { anyJsonValues, parseOutcome, inputSchema } from './parse-outcome.ts';

const schemas = {
  bool,
  cnpj,
  colour,
  cpf,
  email,
  host,
  moment: dateTimeInput,
  money,
  pathId,
  phone,
  id: recordId(),
  ids: ids(),
  idsOrBracketed: idsOrBracketed(),
  int: int(0, 9),
  number: number(),
  percent: percent(),
  slug: slug(9),
  line: line(9),
  raw: verbatimText(9),
  text: text(9),
  url: url(),
  choice: choice(['a', 'b']),
  word: textMatching(/[a-z]+/, 'Must be a word.'),
  list: arrayOf(int(0, 9), { max: 2 }),
  orWrapped: orDataWrapped(arrayOf(int(0, 9), { max: 2 })),
  object: object({ name: line(9) }),
};

describe.each(Object.entries(schemas))('%s', (name, schema) => {
  it('rejects with whole sentences that do not repeat the value', () => {
    for (const value of anyJsonValues) {
      const result = runInZone('UTC', () => parseOutcome(schema, value));
      for (const message of Object.values(result.errors ?? {}).flat()) {
        expect(message).toMatch(/^(Required|Must .*)\.$/);
        expect(message).not.toContain('9'.repeat(400));
      }
    }
  });

  it('rejects an absent value with Required.', () => {
    if (name === 'slug') return;
    expect(parseOutcome(object({ field: schema }), {})).toEqual({
      errors: { field: ['Required.'] },
    });
    expect(inputSchema(object({ field: schema }))).toMatchObject({ required: ['field'] });
  });

  it('accepts null only inside orNull', () => {
    if (name !== 'slug') expect(parseOutcome(schema, null).errors).toBeDefined();
    const nullable = object({ field: orNull(schema) });
    if (name !== 'slug')
      expect(parseOutcome(nullable, { field: null })).toEqual({ value: { field: null } });
    expect(JSON.stringify(inputSchema(nullable))).toContain('"null"');
  });
});
