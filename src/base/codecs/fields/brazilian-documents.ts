import { addIssue } from '../field-messages.ts';
import { cleanedCode } from './text.ts';

/**
 * Check digit modulo 11 of Brazilian documents. The weights from the right are 2, 3, ...
 * `maxWeight`, then 2 again.
 */
function checkDigit(values: readonly number[], maxWeight: number): number {
  const sum = values
    .toReversed()
    .reduce((total, value, index) => total + value * (2 + (index % (maxWeight - 1))), 0);
  const digit = 11 - (sum % 11);
  return digit > 9 ? 0 : digit;
}

/**
 * Request field: a CPF, with or without punctuation. Stored as eleven digits; the last two are
 * check digits.
 */
export const cpf = cleanedCode({ examples: ['529.982.247-25'] }, (value, context) => {
  const digits = value.replace(/[\s.-]/g, '');
  return isCpf(digits) ? digits : addIssue(context, 'Must be a valid CPF.');
});

function isCpf(digits: string): boolean {
  // Eleven equal digits have valid check digits, but no such CPF exists.
  if (!/^\d{11}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
  const values = Array.from(digits, Number);
  return [9, 10].every(
    (position) => checkDigit(values.slice(0, position), 11) === values[position],
  );
}

/**
 * Request field: a CNPJ, with or without punctuation. Stored as fourteen characters in upper case;
 * the last two are check digits. The first twelve may be letters, as in numbers issued since July
 * 2026.
 */
export const cnpj = cleanedCode({ examples: ['11.222.333/0001-81'] }, (value, context) => {
  const characters = value.replace(/[\s./-]/g, '').toUpperCase();
  return isCnpj(characters) ? characters : addIssue(context, 'Must be a valid CNPJ.');
});

function isCnpj(characters: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(characters) || /^(.)\1+$/.test(characters)) return false;
  // The value of a character is its ASCII code minus that of the digit zero.
  const values = Array.from(characters, (character) => character.charCodeAt(0) - 48);
  return [12, 13].every(
    (position) => checkDigit(values.slice(0, position), 9) === values[position],
  );
}
