/**
 * `npm run descriptions [text]`: lists the entries without a description, or only the entries with
 * this text.
 */
import { findUndescribed } from '../../http/openapi/missing.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { documentTexts } from './meanings.ts';

const [wanted = ''] = process.argv.slice(2);
const missing = findUndescribed(getOpenApiDocument('Service', '/v2'), documentTexts);
const shown = missing.filter((place) => place.includes(wanted));
console.log([...shown, `${shown.length} of ${missing.length} missing`].join('\n'));
