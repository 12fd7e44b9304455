import { checkDigit } from './check-digit.ts';
import { refuse } from './sentences.ts';
import { cleanedLine } from './text.ts';

/**
 * Request: a CNPJ, with or without punctuation; stored as its fourteen characters in upper case, of which the
 * last two are checked. The first twelve may be letters, as in those given out since July 2026.
 */
export const cnpj = cleanedLine({ examples: ['11.222.333/0001-81'] }, (value, context) => {
  const characters = value.replace(/[\s./-]/g, '').toUpperCase();
  return isCnpj(characters) ? characters : refuse(context, 'Must be a valid CNPJ.');
});

function isCnpj(characters: string): boolean {
  if (!/^[0-9A-Z]{12}\d{2}$/.test(characters) || /^(.)\1+$/.test(characters)) return false;
  // A letter counts as its place in ASCII, seen from the digit zero.
  const values = Array.from(characters, (character) => character.charCodeAt(0) - 48);
  return [12, 13].every((at) => checkDigit(values.slice(0, at), 9) === values[at]);
}
