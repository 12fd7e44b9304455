import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';
import { shownMoney } from '../../wire/money.ts';
import { Product } from './product.ts';

/** A customization as writing it answers (contract 3.7). */
export const Customization = z
  .object({
    id: z.int(),
    name: z.string(),
    price: shownMoney,
    description: z.string().nullable(),
    type: z.enum(['text', 'textarea', 'select']),
    required: shownBool,
    max_chars: z.int(),
    products_ids: z.array(z.int()),
    values: z.array(z.string()),
    allowed_values: z.string(),
  })
  .meta({ id: 'Customization' });

/** The same merged with CustomizationAdditionalResponse, as reading it answers. */
export const CustomizationRead = z
  .object({
    ...Customization.shape,
    created_at: dateTime,
    updated_at: dateTime,
    products: z.object({ data: z.array(Product) }).optional(),
  })
  .meta({ id: 'CustomizationRead' });
