import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';
import { Product } from './product.ts';

const fields = {
  id: z.int(),
  product_id: z.int(),
  comment_id: z.int().nullable(),
  approved: shownBool,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
};

/** An answer to a comment (contract 3.6). */
export const ProductCommentAnswer = z.object(fields).meta({ id: 'ProductCommentAnswer' });

/** A comment or an answer; `answer` is the newest one to it. */
export const ProductComment = z
  .object({
    ...fields,
    answer: ProductCommentAnswer.nullable(),
    product: z.object({ data: Product.nullable() }).optional(),
    answers: z.object({ data: z.array(ProductCommentAnswer) }).optional(),
  })
  .meta({ id: 'ProductComment' });
