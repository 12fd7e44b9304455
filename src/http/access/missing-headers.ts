import { unauthenticated, type HttpError } from '../../base/errors.ts';

const required = ['Required.'];
const requiredForApiKey = ['Required, unless Authorization: Bearer is sent.'];

/**
 * Returns the 401 for rejected credentials. It names a header that is missing or sent in vain. It never says what is
 * wrong with the values of complete credentials.
 */
export function explainCredentials(headers: Headers): HttpError {
  const [token, secret] = [headers.get('User-Token'), headers.get('User-Secret-Key')];
  const authorization = headers.get('Authorization');
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    if (token !== null || secret !== null) {
      const errors = { Authorization: ['Must not be sent with User-Token or User-Secret-Key.'] };
      return unauthenticated('credentials_ambiguous', { errors });
    }
    if (headers.get('X-Partner-Client-ID')) return unauthenticated('unauthenticated', wrongToken);
    return unauthenticated('credentials_incomplete', {
      errors: { 'X-Partner-Client-ID': required },
      hint: 'X-Partner-Client-ID is missing: send the client id of your app with the access token.',
    });
  }
  if (token && secret) return unauthenticated('unauthenticated', wrongKey);
  if (token) return incompleteKey('User-Secret-Key');
  if (secret) return incompleteKey('User-Token');
  return unauthenticated('credentials_incomplete', {
    errors: { 'User-Token': requiredForApiKey, 'User-Secret-Key': requiredForApiKey },
  });
}

const wrongToken = {
  hint: 'Refresh the access token, which expires after 10 minutes, and check that X-Partner-Client-ID is its app; if that fails, let the merchant authorize the app again.',
};

const wrongKey = {
  hint: 'Compare User-Token and User-Secret-Key with the API key, or create a new key on the account pages: this pair is no key that exists.',
};

const incompleteKey = (name: string) =>
  unauthenticated('credentials_incomplete', {
    errors: { [name]: required },
    hint: `${name} is missing: send both parts of the API key.`,
  });
