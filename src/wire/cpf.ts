import { checkDigit } from './check-digit.ts';
import { refuse } from './sentences.ts';
import { cleanedLine } from './text.ts';

/** Request: a CPF, with or without punctuation; stored as its eleven digits, of which the last two are checked. */
export const cpf = cleanedLine({ examples: ['529.982.247-25'] }, (value, context) => {
  const digits = value.replace(/[\s.-]/g, '');
  return isCpf(digits) ? digits : refuse(context, 'Must be a valid CPF.');
});

function isCpf(digits: string): boolean {
  // The check digits of eleven equal digits fit, but none of these was ever given to anybody.
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  const values = Array.from(digits, Number);
  return [9, 10].every((at) => checkDigit(values.slice(0, at), 11) === values[at]);
}
