import type * as z from 'zod';
import { addFieldIssues } from '../../base/codecs/field-errors.ts';
import { arrayOf } from '../../base/codecs/fields/arrays-and-objects.ts';
import { cnpj, cpf } from '../../base/codecs/fields/brazilian-documents.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { email, phone } from '../../base/codecs/fields/string-formats.ts';
import { line, choice } from '../../base/codecs/fields/text.ts';
import { explainBody, explainChanges } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { NewAddress } from '../address-request.ts';
import { validateDocuments } from './rules.ts';
import { CustomerSchema } from './schema.ts';

const fields = {
  email,
  first_name: line(100),
  last_name: orNull(line(100)),
  type: choice(['f', 'j']),
  phone: orNull(phone),
} as const;

const documents = { cpf: [orNull(cpf), null], cnpj: [orNull(cnpj), null] } as const;

/** The buyer of a new order, who may be new to the store. */
export const BuyerRequest = requestBodies({
  required: fields,
  optional: documents,
}).post.superRefine((customer, context) => addFieldIssues(context, validateDocuments(customer)));

/* @__PURE__ */ explainBody(BuyerRequest, CustomerSchema, {
  OrderCustomerInput: 'Someone who buys, a person or a company. Unique by e-mail address.',
});

export const NewCustomer = requestBodies({
  required: fields,
  optional: {
    ...documents,
    addresses: [
      arrayOf(NewAddress, { max: 10 }).describe(
        'Shipping addresses to create with the customer, up to 10; each sends customer.address.created.',
      ),
      [],
    ],
  },
}).post.superRefine((customer, context) => addFieldIssues(context, validateDocuments(customer)));

/* @__PURE__ */ explainBody(NewCustomer, CustomerSchema, {
  CustomerInput:
    'A new buyer, with addresses if you send them. The e-mail address must not be taken.',
});

/**
 * Any subset of a customer. Documents and type are validated later, after the merge with the stored
 * record.
 */
export const CustomerChanges = requestBodies({
  optional: {
    email: [email, ''],
    first_name: [fields.first_name, ''],
    last_name: [fields.last_name, null],
    type: [fields.type, 'f'],
    phone: [fields.phone, null],
    ...documents,
  },
}).put;

/* @__PURE__ */ explainChanges(CustomerChanges, CustomerSchema, {
  CustomerPatch: 'The fields of a buyer to change.',
});

export type NewCustomer = z.output<typeof NewCustomer>;
export type CustomerChanges = z.output<typeof CustomerChanges>;
