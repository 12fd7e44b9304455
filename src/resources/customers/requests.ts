import type * as z from 'zod';
import { cnpj } from '../../wire/cnpj.ts';
import { cpf } from '../../wire/cpf.ts';
import { email } from '../../wire/email.ts';
import { list } from '../../wire/list.ts';
import { orNull } from '../../wire/or-null.ts';
import { phone } from '../../wire/phone.ts';
import { report } from '../../wire/report.ts';
import { request } from '../../wire/request.ts';
import { line } from '../../wire/text.ts';
import { choice } from '../../wire/words.ts';
import { NewAddress } from '../shapes/address-request.ts';
import { documentErrors } from './document-rules.ts';

const fields = {
  email,
  first_name: line(100),
  last_name: orNull(line(100)),
  type: choice(['f', 'j']),
  phone: orNull(phone),
} as const;

const documents = { cpf: [orNull(cpf), null], cnpj: [orNull(cnpj), null] } as const;

/** The body of POST customers (sources 2). */
export const NewCustomer = request({
  required: fields,
  optional: { ...documents, addresses: [list(NewAddress, { max: 10 }), []] },
}).post.superRefine((customer, context) => report(context, documentErrors(customer)));

/** Any subset of a customer; whether the documents fit the type is seen with what is stored. */
export const CustomerChanges = request({
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
