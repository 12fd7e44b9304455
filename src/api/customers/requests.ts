import type * as z from 'zod';
import { addFieldIssues } from '../../base/codecs/field-errors.ts';
import { arrayOf } from '../../base/codecs/fields/arrays-and-objects.ts';
import { cnpj, cpf } from '../../base/codecs/fields/brazilian-documents.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import { email, phone } from '../../base/codecs/fields/string-formats.ts';
import { line, choice } from '../../base/codecs/fields/text.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { NewAddress } from '../address-request.ts';
import { validateDocuments } from './rules.ts';

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

/** Any subset of a customer. Documents and type are validated later, after the merge with the stored record. */
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

export type NewCustomer = z.output<typeof NewCustomer>;
export type CustomerChanges = z.output<typeof CustomerChanges>;
