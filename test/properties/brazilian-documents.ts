import fc from 'fast-check';

/** Appends the two check digits to the digits of a document, by the rules of the tax authority. */
function checked(digits: readonly number[], weights: readonly number[]): string {
  const complete = [...digits];
  for (const heaviest of [weights.slice(1), weights]) {
    const sum = complete.reduce((total, digit, at) => total + digit * heaviest[at]!, 0);
    complete.push(sum % 11 < 2 ? 0 : 11 - (sum % 11));
  }
  return complete.join('');
}

const digits = (length: number) =>
  fc
    .array(fc.nat({ max: 9 }), { minLength: length, maxLength: length })
    // A document of one repeated digit is invalid, whatever its check digits are.
    .filter((some) => new Set(some).size > 1);

/** A CPF with valid check digits. */
export const cpfNumbers = digits(9).map((some) => checked(some, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]));

/** A CNPJ of digits with valid check digits. */
export const cnpjNumbers = digits(12).map((some) =>
  checked(some, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]),
);

/** A phone number in one of its usual notations. */
export const phoneNumbers = fc.constantFrom('+55 (11) 91234-5678', '11 1234.5678', '0800 123 4567');
