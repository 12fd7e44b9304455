import type * as z from 'zod';
import { addFieldIssues } from '../base/codecs/field-errors.ts';
import { addIssue } from '../base/codecs/field-messages.ts';
import { orNull } from '../base/codecs/fields/nullable.ts';
import { cleanedCode, line } from '../base/codecs/fields/text.ts';
import { explainBody, explainChanges } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import type { FieldErrors } from '../base/errors.ts';
import { AddressSchema } from './customers/schema.ts';

export const zipcode = cleanedCode({ examples: ['01310-100'] }, (value, context) => {
  const code = value.toUpperCase().replace(/^(\d{5})-(\d{3})$/, '$1$2');
  const isCode = /^[A-Z0-9](?:[A-Z0-9 -]{0,10}[A-Z0-9])?$/.test(code);
  return isCode
    ? code
    : addIssue(context, 'Must be a postal code of at most 12 letters and digits.');
});

/** A code of two letters is stored in upper case. */
export const state = cleanedCode(
  { minLength: 1, maxLength: 60, examples: ['SP'] },
  (value, context) => {
    if (value === '' || value.length > 60) return addIssue(context, 'Must be 1 to 60 characters.');
    return /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : value;
  },
);

export const country = cleanedCode({ examples: ['BR'] }, (value, context) =>
  /^[a-z]{2}$/i.test(value)
    ? value.toUpperCase()
    : addIssue(context, 'Must be a country code of two letters, such as BR.'),
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

/** The body of a new address. */
export const NewAddress = requestBodies({ required: fields, optional }).post.superRefine(
  (address, context) => addFieldIssues(context, validateAddress(address)),
);

/* @__PURE__ */ explainBody(NewAddress, AddressSchema, {
  AddressInput: 'A place to send orders to.',
});

/**
 * Any subset of an address. {@link validateAddress} runs later, on the merge with the stored
 * address.
 */
export const AddressChanges = requestBodies({
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

/* @__PURE__ */ explainChanges(AddressChanges, AddressSchema, {
  CustomerAddressPatch:
    'The fields of an address to change; orders that were sent there keep the old one.',
});

export type NewAddress = z.output<typeof NewAddress>;
export type AddressChanges = z.output<typeof AddressChanges>;

/** The 26 states of Brazil and its federal district. */
const brazilianStates = [
  'AC',
  'AL',
  'AM',
  'AP',
  'BA',
  'CE',
  'DF',
  'ES',
  'GO',
  'MA',
  'MG',
  'MS',
  'MT',
  'PA',
  'PB',
  'PE',
  'PI',
  'PR',
  'RJ',
  'RN',
  'RO',
  'RR',
  'RS',
  'SC',
  'SE',
  'SP',
  'TO',
];

/**
 * Returns the errors of an address as a whole: Brazil requires an eight-digit CEP and one of 27
 * states.
 */
export function validateAddress(address: {
  country: string;
  state: string;
  zipcode: string | null;
}): FieldErrors {
  if (address.country !== 'BR') return {};
  return {
    ...(!/^\d{8}$/.test(address.zipcode ?? '') && {
      zipcode: ['Must have eight digits in Brazil.'],
    }),
    ...(!brazilianStates.includes(address.state) && {
      state: [`Must be one of ${brazilianStates.join(', ')} in Brazil.`],
    }),
  };
}
