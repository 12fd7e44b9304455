import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import { restrictedTo } from '../../http/access/restricted-fields.ts';

const line = z.string().nullable();
const lineLike = (example: string | null) => line.meta({ examples: [example] });

/** The meanings of the fields of every address. */
export const placeMeanings = {
  zipcode: 'Postal code without hyphen; eight digits in Brazil.',
  street: 'Street or avenue without the number.',
  number: 'House number as text, since some have letters.',
  complement: 'Flat, floor or building; null without one.',
  neighborhood: 'District of the city (bairro).',
  city: 'City or municipality.',
};

export const AddressSchema = writtenOutside(
  z.object({
    id: idOutput,
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
    ...recordTimes,
  }),
).meta({ id: 'Address' });

/* @__PURE__ */ explain(
  AddressSchema,
  'A shipping address of a customer. Values that anonymisation removed are null.',
  placeMeanings,
  {
    customer_id: 'Who has parcels sent there.',
    receiver: 'Who takes the parcel; may differ from the customer.',
    state: 'In Brazil one of the 27 abbreviations, such as SP; elsewhere any region.',
    country: 'ISO 3166 code of two letters, BR by default.',
  },
);

const customerRow = {
  id: idOutput,
  email: writtenOutside(line),
  first_name: writtenOutside(line),
  last_name: writtenOutside(line),
  type: z.enum(['f', 'j']),
  cpf: writtenOutside(lineLike('52998224725')),
  cnpj: writtenOutside(lineLike(null)),
  phone: writtenOutside(lineLike('+5511912345678')),
  anonymized: boolOutput.meta({ examples: [false] }),
  ...recordTimes,
};

const customerMeanings = {
  email:
    'How the shop reaches the customer; unique in the store, ignoring letter case. Null after anonymisation.',
  first_name: 'Given name, or the name of the company.',
  last_name: 'Family name; may be null for a company.',
  type: 'A person (f), whose cpf is required, or a company (j), whose cnpj is.',
  cpf: 'Tax number of a person, eleven digits; null for a company.',
  cnpj: 'Tax number of a company, fourteen characters; null for a person.',
  phone: 'A phone number as people write it, shown as digits, with a plus sign if one was sent.',
  anonymized:
    'Whether personal data was removed for good; such a record stays for its orders and cannot change.',
};

const addresses = z
  .object({ data: z.array(AddressSchema) })
  .describe('Up to 100 addresses, by id.');

/** A customer; `addresses` is present when `include` names it. */
export const CustomerSchema = z
  .object({
    ...customerRow,
    addresses: addresses.optional(),
  })
  .meta({ id: 'Customer' });

/* @__PURE__ */ explain(
  CustomerSchema,
  'Someone who buys, a person or a company. Unique by e-mail address.',
  customerMeanings,
);

/**
 * The relation `customer` of an order, a cart or a transaction; only for callers that may see
 * customers.
 */
export const customerRelation = restrictedTo(
  'customers.read',
  z
    .object({ data: CustomerSchema.nullable() })
    .describe('Who buys; personal data is null after anonymisation, data for a guest.'),
);

/** `resource` of customer.created, with all relations. */
export const CustomerEventSchema = z
  .object({ ...customerRow, addresses })
  .meta({ id: 'CustomerEvent' });

/* @__PURE__ */ explain(
  CustomerEventSchema,
  'A new customer with all addresses, as customer.created carries it.',
  customerMeanings,
);

/* @__PURE__ */ explainEnum('CustomerType', 'Whether a buyer is a person or a company.', {
  f: 'A person, identified by a CPF.',
  j: 'A company, identified by a CNPJ.',
});
