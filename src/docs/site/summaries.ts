import type { Language } from '../../base/languages.ts';
import type { OperationObject } from '../../http/openapi/types.ts';
import { documentTexts } from '../meaning/meanings.ts';

/** Returns the name of an operation in a language. */
export type SummaryOf = (operation: OperationObject, language: Language) => string;

/** In English if there is no translation. */
export const summaryOf: SummaryOf = ({ operationId, summary }, language) => {
  return language === 'en'
    ? summary
    : (documentTexts.operations[operationId]?.[language] ?? summary);
};
