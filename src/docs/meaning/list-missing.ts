/** `npm run descriptions [text]`: lists what has no description, or only the entries with this text. */
import { findMissing } from '../../http/openapi/missing.ts';
import { getOpenApiDocument } from '../openapi-document.ts';
import { documentTexts } from './index.ts';

const [wanted = ''] = process.argv.slice(2);
const missing = findMissing(getOpenApiDocument('Service', '/v2'), documentTexts);
const shown = missing.filter((place) => place.includes(wanted));
console.log([...shown, `${shown.length} of ${missing.length} missing`].join('\n'));
