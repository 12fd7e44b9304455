import type * as z from 'zod';
import { email } from '../../wire/email.ts';
import { host } from '../../wire/host.ts';
import { int } from '../../wire/number.ts';
import { request } from '../../wire/request.ts';
import { line, raw } from '../../wire/text.ts';
import { choice } from '../../wire/words.ts';

/** The body of POST e-mail configurations (contract 3.13). */
export const EmailConfigurationRequest = request({
  required: {
    host,
    port: int(1, 65_535),
    username: line(254),
    password: raw(255),
    from: email,
    name: line(100),
  },
  optional: {
    encryption: [choice(['tls', 'ssl', 'starttls', 'none'], { anyCase: true }), 'tls'],
  },
}).post;

export type EmailConfigurationRequest = z.output<typeof EmailConfigurationRequest>;
