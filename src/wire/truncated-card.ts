import { word } from './words.ts';

/** What is left of a card number: at most its first six and last four digits. A whole number is refused. */
export const truncatedCard = word(
  /\d{0,6}[*xX]{1,12}\d{0,4}|\d{4}/,
  'Must be at most the first six and the last four digits, with * for the others.',
);
