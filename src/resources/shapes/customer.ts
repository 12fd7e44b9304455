import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';

const line = z.string().nullable();
const like = (example: string | null) => line.meta({ examples: [example] });

/** Where a customer has things sent (sources 2); null is what anonymising took away. */
export const Address = z
  .object({
    id: z.int(),
    customer_id: z.int(),
    receiver: line,
    zipcode: like('01310100'),
    street: line,
    number: line,
    complement: like(null),
    neighborhood: line,
    city: line,
    state: z.string().meta({ examples: ['SP'] }),
    country: z.string().meta({ examples: ['BR'] }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Address' });

const customerRow = {
  id: z.int(),
  email: line,
  first_name: line,
  last_name: line,
  type: z.enum(['f', 'j']).meta({ description: 'A person (f) or a company (j).' }),
  cpf: like('52998224725'),
  cnpj: like(null),
  phone: like('+5511912345678'),
  anonymized: shownBool.meta({ examples: [false] }),
  created_at: dateTime,
  updated_at: dateTime,
};

const addresses = z.object({ data: z.array(Address) });

/** Who buys in a store (sources 2); the addresses are there when they were asked for. */
export const Customer = z
  .object({ ...customerRow, addresses: addresses.optional() })
  .meta({ id: 'Customer' });

/** `resource` of customer.created: all includes. */
export const CustomerEvent = z.object({ ...customerRow, addresses }).meta({ id: 'CustomerEvent' });
