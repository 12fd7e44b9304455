import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { int } from '../../codecs/fields/scalars.ts';
import { email, host } from '../../codecs/fields/string-formats.ts';
import { line, verbatimText, choice } from '../../codecs/fields/text.ts';

export const EmailConfigurationRequest = requestBodies({
  required: {
    host: host.describe('Name or address of the mail server.'),
    port: int(1, 65_535).describe('Port of the mail server, such as 587.'),
    username: line(254).describe('User name at the mail server.'),
    password: verbatimText(255).describe(
      'Password at the mail server; stored encrypted, never returned.',
    ),
    from: email,
    name: line(100),
  },
  optional: {
    encryption: [
      choice(['tls', 'ssl', 'starttls', 'none'], { anyCase: true }).describe(
        'How the connection is secured: tls, ssl, starttls or none.',
      ),
      'tls',
    ],
  },
}).post;

export type EmailConfigurationRequest = z.output<typeof EmailConfigurationRequest>;
