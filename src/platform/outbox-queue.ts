import { consumerOf, messageSchemas } from '../data/queues.ts';
import { runOutbox } from '../mail/send-mail.ts';
import { runAppEvents } from './app-webhooks.ts';

/**
 * Consumer of the queue `mail`: sends mails, and events to the webhooks of apps. Both wait in the directory, and come
 * from the same notices. All messages are the same, so one run answers a batch.
 */
export const handleMailWakeups = consumerOf({
  name: 'mail',
  schema: messageSchemas.mail,
  async consume(_messages, { env, ports: { now = Date.now } }) {
    await Promise.all([runAppEvents(env), runOutbox(env, { now })]);
  },
});
