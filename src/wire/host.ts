import * as z from 'zod';
import { refuse } from './sentences.ts';
import { cleanedLine } from './text.ts';

const Host = z.union([z.hostname().max(253), z.ipv4(), z.ipv6()]);

/** A host name or an IP address, of at most 253 characters. */
export const host = cleanedLine(
  { minLength: 1, maxLength: 253, examples: ['smtp.example.com'] },
  (value, context) =>
    Host.safeParse(value).success ? value : refuse(context, 'Must be a host name or an address.'),
);
