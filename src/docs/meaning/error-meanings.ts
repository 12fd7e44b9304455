import type { ErrorCode } from '../../base/error-codes.ts';
import { accessErrors } from './access-errors.ts';
import { accountErrors } from './account-errors.ts';
import { addressErrors } from './addresses-errors.ts';
import type { ErrorMeaning } from './error-meaning.ts';
import { requestErrors } from './requests-errors.ts';
import { salesErrors } from './sales-errors.ts';
import { workErrors } from './work-errors.ts';

/** Meaning and remedy of every error code. A code without texts does not compile. */
export const errorMeanings: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  ...requestErrors,
  ...addressErrors,
  ...accessErrors,
  ...salesErrors,
  ...workErrors,
  ...accountErrors,
};

/** The meaning of every error code in English. */
export const errorCodeTexts = Object.fromEntries(
  Object.entries(errorMeanings).map(([code, { en }]) => [code, en.meaning]),
) as Record<ErrorCode, string>;
