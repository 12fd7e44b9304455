import type { DocumentTexts } from '../../http/openapi/texts.ts';
import { oauthTexts } from '../oauth/texts.ts';
import { enumTexts } from './enums.ts';
import { errorCodeTexts } from './error-codes.ts';
import { eventTexts } from './events.ts';
import { introduction } from './introduction.ts';
import { operationTexts } from './operations.ts';
import { pathParameterTexts, queryParameterTexts } from './parameters.ts';
import { tagGroups, tagTexts } from './tags.ts';

/** All texts of the documentation that only the document needs. */
export const documentTexts: DocumentTexts = {
  introduction,
  operations: { ...oauthTexts, ...operationTexts },
  tags: tagTexts,
  tagGroups,
  pathParameters: pathParameterTexts,
  queryParameters: queryParameterTexts,
  events: eventTexts,
  errorCodes: errorCodeTexts,
  enums: enumTexts,
};
