import * as z from 'zod';
import { restrictedTo } from '../../access/may-see.ts';
import { boolOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';

const line = z.string().nullable();
const lineLike = (example: string | null) => line.meta({ examples: [example] });

/** A shipping address. Fields that anonymisation removed are null. */
export const AddressSchema = z
  .object({
    id: z.int(),
    customer_id: z.int(),
    receiver: line,
    zipcode: lineLike('01310100'),
    street: line,
    number: line,
    complement: lineLike(null),
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
  cpf: lineLike('52998224725'),
  cnpj: lineLike(null),
  phone: lineLike('+5511912345678'),
  anonymized: boolOutput.meta({ examples: [false] }),
  created_at: dateTime,
  updated_at: dateTime,
};

const addresses = z.object({ data: z.array(AddressSchema) });

/** A customer; `addresses` is present when `include` names it. */
export const CustomerSchema = z
  .object({ ...customerRow, addresses: addresses.optional() })
  .meta({ id: 'Customer' });

/** The relation `customer` of an order, a cart or a transaction; only for callers that may see customers. */
export const customerRelation = restrictedTo(
  'customers.read',
  z.object({ data: CustomerSchema.nullable() }),
);

/** `resource` of customer.created, with all relations. */
export const CustomerEventSchema = z
  .object({ ...customerRow, addresses })
  .meta({ id: 'CustomerEvent' });
