import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { arrayOf, object } from '../../../src/base/codecs/fields/arrays-and-objects.ts';
import { dateTimeInput } from '../../../src/base/codecs/fields/date-time.ts';
import { idsOrBracketed } from '../../../src/base/codecs/fields/ids.ts';
import { orNull } from '../../../src/base/codecs/fields/nullable.ts';
import { int } from '../../../src/base/codecs/fields/scalars.ts';
import { line } from '../../../src/base/codecs/fields/text.ts';
import { requestBodies } from '../../../src/base/codecs/request-bodies.ts';
import { findUnknownFields } from '../../../src/base/codecs/unknown-fields.ts';

const item = object({ installment: int(1, 24) });
const plan = arrayOf(item, { max: 24 });
const Body = requestBodies({
  required: { name: line(9) },
  optional: {
    items: [plan, []],
    installments: [z.union([plan, object({ data: plan })]), []],
    include: [orNull(object({ ids: idsOrBracketed() })), null],
    start_at: [orNull(dateTimeInput), null],
  },
});

describe('findUnknownFields', () => {
  it.each([
    [{ name: 'a' }, []],
    [{ name: 'a', id: 1, colour: 2 }, ['colour']],
    [{ items: [{ installment: 1 }, { installment: 1, x: 1 }] }, ['items.1.x']],
    [{ installments: [{ installment: 1, x: 1 }] }, ['installments.0.x']],
    [
      { installments: { data: [{ y: 1 }], meta: 1 } },
      ['installments.data.0.y', 'installments.meta'],
    ],
    [{ include: { ids: '[1]', others: [] } }, ['include.others']],
    [{ include: null, items: 'x' }, []],
    [{ start_at: { date: 'x', timezone: 'y', z: 1 } }, ['start_at.z']],
    [{ constructor: 1, ['__proto__x']: 2 }, ['constructor', '__proto__x']],
    [null, []],
    [[], []],
    ['x', []],
  ])('finds the unknown fields of %j', (body, expected) => {
    for (const schema of [Body.post, Body.put]) {
      expect(findUnknownFields(schema, body, ['id'])).toEqual(expected);
    }
  });
});
