import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { int } from '../../codecs/fields/scalars.ts';
import { email, host } from '../../codecs/fields/string-formats.ts';
import { line, verbatimText, choice } from '../../codecs/fields/text.ts';

export const EmailConfigurationRequest = requestBodies({
  required: {
    host,
    port: int(1, 65_535),
    username: line(254),
    password: verbatimText(255),
    from: email,
    name: line(100),
  },
  optional: {
    encryption: [choice(['tls', 'ssl', 'starttls', 'none'], { anyCase: true }), 'tls'],
  },
}).post;

export type EmailConfigurationRequest = z.output<typeof EmailConfigurationRequest>;
