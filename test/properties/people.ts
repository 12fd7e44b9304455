import fc from 'fast-check';

/** The digits of a document with its two check digits, weighed as the tax office tells. */
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
    // Documents of one digit alone are refused, whatever their check digits are.
    .filter((some) => new Set(some).size > 1);

/** A CPF that passes its check. */
export const cpf = digits(9).map((some) => checked(some, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]));

/** A CNPJ of digits that passes its check. */
export const cnpj = digits(12).map((some) =>
  checked(some, [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]),
);

/** A phone number in one of the ways people write them. */
export const phone = fc.constantFrom('+55 (11) 91234-5678', '11 1234.5678', '0800 123 4567');
