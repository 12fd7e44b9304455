import type { FieldErrors } from '../errors.ts';

const required = ['Required.'];
const requiredForApiKey = ['Required, unless Authorization: Bearer is sent.'];

/**
 * Says which header of the credentials a request lacks, or sends in vain. Returns `undefined` when one kind of credentials
 * is complete; what is wrong with its values is never said.
 */
export function explainHeaders(headers: Headers): FieldErrors | undefined {
  const [token, secret] = [headers.get('User-Token'), headers.get('User-Secret-Key')];
  const authorization = headers.get('Authorization');
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    if (token !== null || secret !== null) {
      return { Authorization: ['Must not be sent with User-Token or User-Secret-Key.'] };
    }
    return headers.get('X-Partner-Client-ID') ? undefined : { 'X-Partner-Client-ID': required };
  }
  if (token && secret) return undefined;
  if (token) return { 'User-Secret-Key': required };
  if (secret) return { 'User-Token': required };
  return { 'User-Token': requiredForApiKey, 'User-Secret-Key': requiredForApiKey };
}
