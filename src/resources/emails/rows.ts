import { emailConfigurations } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { EmailConfiguration } from '../shapes/email-configuration.ts';
import { EmailConfigurationRequest } from './request.ts';
import { configureEmails } from './writing.ts';

export const emailOperations = [
  operation({
    id: 'configureEmails',
    route: 'POST /{alias}/config/emails',
    access: 'config.write',
    body: EmailConfigurationRequest,
    reply: data(200, EmailConfiguration),
    rejects: [],
    note: 'A store has one: it is made, or replaced as a whole under the same id. The password is kept encrypted and never shown; host, port, username and encryption are not shown either.',
    run: ({ db, settings, body }) => configureEmails(db, settings.sealingKey, body),
  }),
  operation({
    id: 'showEmailConfiguration',
    route: 'GET /{alias}/config/emails',
    access: 'config.read',
    reply: data(200, EmailConfiguration),
    rejects: [404],
    note: '404 while the store has none.',
    run: async ({ db }) => {
      const [rows] = await db.batch([db.select(emailConfigurations)]);
      return rows[0];
    },
  }),
];
