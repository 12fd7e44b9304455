import type * as z from 'zod';
import { orNull } from '../../wire/or-null.ts';
import { report } from '../../wire/report.ts';
import { request } from '../../wire/request.ts';
import { refuse } from '../../wire/sentences.ts';
import { cleanedLine, line } from '../../wire/text.ts';
import { addressErrors } from './address-rules.ts';

const zipcode = cleanedLine({ examples: ['01310-100'] }, (value, context) => {
  const code = value.toUpperCase().replace(/^(\d{5})-(\d{3})$/, '$1$2');
  const isCode = /^[A-Z0-9](?:[A-Z0-9 -]{0,10}[A-Z0-9])?$/.test(code);
  return isCode ? code : refuse(context, 'Must be a postal code of at most 12 letters and digits.');
});

/** A code of two letters is written in upper case. */
const state = cleanedLine({ minLength: 1, maxLength: 60, examples: ['SP'] }, (value, context) => {
  if (value === '' || value.length > 60) return refuse(context, 'Must be 1 to 60 characters.');
  return /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : value;
});

const country = cleanedLine({ examples: ['BR'] }, (value, context) =>
  /^[a-z]{2}$/i.test(value)
    ? value.toUpperCase()
    : refuse(context, 'Must be a country code of two letters, such as BR.'),
);

const fields = {
  receiver: line(200),
  zipcode,
  street: line(255),
  number: line(20),
  neighborhood: line(100),
  city: line(100),
  state,
} as const;

const optional = {
  complement: [orNull(line(255)), null],
  country: [country, 'BR'],
} as const;

/** The body of POST addresses (sources 2). */
export const NewAddress = request({ required: fields, optional }).post.superRefine(
  (address, context) => report(context, addressErrors(address)),
);

/** Any subset of an address; whether it fits together is seen with what is stored. */
export const AddressChanges = request({
  optional: {
    ...optional,
    receiver: [fields.receiver, ''],
    zipcode: [zipcode, ''],
    street: [fields.street, ''],
    number: [fields.number, ''],
    neighborhood: [fields.neighborhood, ''],
    city: [fields.city, ''],
    state: [state, ''],
  },
}).put;

export type NewAddress = z.output<typeof NewAddress>;
export type AddressChanges = z.output<typeof AddressChanges>;
