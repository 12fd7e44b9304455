import { z } from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';

/** Who buys in a store (sources 2). */
export const Customer = z
  .object({
    id: z.int(),
    email: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    type: z.string(),
    cpf: z.string().nullable(),
    cnpj: z.string().nullable(),
    phone: z.string().nullable(),
    anonymized: shownBool,
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Customer' });
