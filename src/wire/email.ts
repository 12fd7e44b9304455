import * as z from 'zod';
import { expected, refuse } from './sentences.ts';

// The address syntax of HTML, with a dot in the domain: postal practice rather than RFC 5321.
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** One e-mail address of at most 254 characters, kept in the case it was sent in. */
export const email = z
  .string({ error: expected('Must be an e-mail address.') })
  .meta({ format: 'email', maxLength: 254 })
  .transform((value, context) => {
    const address = value.trim();
    const valid = address.length <= 254 && ADDRESS.test(address);
    return valid ? address : refuse(context, 'Must be an e-mail address.');
  });
