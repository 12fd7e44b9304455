import type { ErrorCode } from '../../error-codes.ts';
import { accessErrors } from './error-codes/access.ts';
import { addressErrors } from './error-codes/addresses.ts';
import type { ErrorMeaning } from './error-codes/error-meaning.ts';
import { peopleErrors } from './error-codes/people.ts';
import { requestErrors } from './error-codes/requests.ts';
import { salesErrors } from './error-codes/sales.ts';
import { workErrors } from './error-codes/work.ts';

/** Meaning and remedy of every error code. A code without texts does not compile. */
export const errorMeanings: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  ...requestErrors,
  ...addressErrors,
  ...accessErrors,
  ...salesErrors,
  ...workErrors,
  ...peopleErrors,
};

/** The meaning of every error code in English. */
export const errorCodeTexts = Object.fromEntries(
  Object.entries(errorMeanings).map(([code, { en }]) => [code, en.meaning]),
) as Record<ErrorCode, string>;
