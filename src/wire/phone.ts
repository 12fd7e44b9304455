import { refuse } from './sentences.ts';
import { cleanedLine } from './text.ts';

const SENTENCE = 'Must be a phone number of 8 to 15 digits.';

/** Request: a phone number; stored as its digits, with the plus sign of an international one. */
export const phone = cleanedLine({ examples: ['+55 11 91234-5678'] }, (value, context) => {
  const digits = value.replace(/[\s().-]/g, '');
  return /^\+?\d{8,15}$/.test(digits) ? digits : refuse(context, SENTENCE);
});
