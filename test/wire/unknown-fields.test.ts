import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idsOrBracketed } from '../../src/wire/bracketed-ids.ts';
import { list } from '../../src/wire/list.ts';
import { moment } from '../../src/wire/moment.ts';
import { int } from '../../src/wire/number.ts';
import { object } from '../../src/wire/object.ts';
import { orNull } from '../../src/wire/or-null.ts';
import { request } from '../../src/wire/request.ts';
import { line } from '../../src/wire/text.ts';
import { unknownFields } from '../../src/wire/unknown-fields.ts';

const item = object({ installment: int(1, 24) });
const plan = list(item, { max: 24 });
const Body = request({
  required: { name: line(9) },
  optional: {
    items: [plan, []],
    installments: [z.union([plan, object({ data: plan })]), []],
    include: [orNull(object({ ids: idsOrBracketed() })), null],
    start_at: [orNull(moment), null],
  },
});

describe('unknownFields', () => {
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
  ])('%j', (body, expected) => {
    for (const schema of [Body.post, Body.put]) {
      expect(unknownFields(schema, body, ['id'])).toEqual(expected);
    }
  });
});
