import type { FieldErrors } from '../../problem.ts';

/** The units of the federation, as Brazilian addresses write them. */
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

/** What is wrong with an address as a whole: in Brazil the CEP has eight digits and the state is one of 27. */
export function addressErrors(address: {
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
