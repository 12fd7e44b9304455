import { emailConfigurations } from '../../db/schema/store/settings.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { EmailConfigurationSchema } from '../../schemas/store/email-configuration.ts';
import { configureEmails } from './commands.ts';
import { EmailConfigurationRequest } from './requests.ts';

export const emailOperations = [
  operation({
    id: 'configureEmails',
    route: 'POST /{alias}/config/emails',
    access: 'config.write',
    body: EmailConfigurationRequest,
    reply: data(200, EmailConfigurationSchema),
    errors: [],
    note: 'A store has one configuration: it is created, or replaced as a whole under the same id. The password is stored encrypted. password, host, port, username and encryption are never returned.',
    run: ({ db, settings, body }) => configureEmails(db, settings.sealingKeys, body),
  }),
  operation({
    id: 'showEmailConfiguration',
    route: 'GET /{alias}/config/emails',
    access: 'config.read',
    reply: data(200, EmailConfigurationSchema),
    errors: [404],
    note: '404 while the store has no configuration.',
    run: async ({ db }) => {
      const [rows] = await db.batch([db.select(emailConfigurations)]);
      return rows[0];
    },
  }),
];
