import type * as z from 'zod';
import { bool } from '../../wire/bool.ts';
import { ids } from '../../wire/id.ts';
import { list, onlyOnce } from '../../wire/list.ts';
import { money } from '../../wire/money.ts';
import { int } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { line, text } from '../../wire/text.ts';
import { choice } from '../../wire/words.ts';

const values = list(line(100), { max: 100 }).superRefine(onlyOnce((value) => value));

/** The bodies of POST and PUT customizations (contract 3.7). */
export const CustomizationRequest = request({
  required: {
    name: line(255),
    price: money,
    type: choice(['text', 'textarea', 'select']),
    required: bool,
    max_chars: int(0, 10_000),
  },
  optional: {
    description: [orNull(text(1000)), null],
    values: [values, []],
    products_ids: [ids(), []],
  },
});

export type NewCustomization = z.output<typeof CustomizationRequest.post>;
export type CustomizationChanges = z.output<typeof CustomizationRequest.put>;
