import type { OperationObject } from '../../http/openapi/types.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import { documentTexts } from '../meaning/index.ts';
import { guideFolder } from './site-map.ts';

/** Returns what an operation is called in a language. */
export type SummaryOf = (operation: OperationObject, language: Language) => string;

/** In English where nobody has translated it. */
export const summaryOf: SummaryOf = ({ operationId, summary }, language) => {
  const folder = guideFolder[language];
  return folder === 'en' ? summary : (documentTexts.operations[operationId]?.[folder] ?? summary);
};
