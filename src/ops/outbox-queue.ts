import { shardBindings } from '../data/core/open-database.ts';
import { consumerOf, messageSchemas } from '../data/queues.ts';
import { runOutbox } from '../mail/send-mail.ts';
import { runAppEvents } from './app-webhooks.ts';
import { noticeTasks } from './mail-notices.ts';
import { runTasks } from './run-tasks.ts';

/**
 * Consumer of the queue `mail`: sends mails, and events to the webhooks of apps. Both wait in the
 * directory, and come from the same notices. First it takes the notices of the shards that a
 * message names. One run answers a batch.
 */
export const handleMailWakeups = consumerOf({
  name: 'mail',
  schema: messageSchemas.mail,
  async consume(messages, { env, ports: { now = Date.now } }) {
    const noticed = new Set(messages.map(({ shard }) => shard));
    const shards = [...shardBindings(env)].filter(([shard]) => noticed.has(shard));
    await Promise.all(
      shards.map(([shard, db]) => runTasks({ env, shard, db, now }, [noticeTasks])),
    );
    await Promise.all([runAppEvents(env), runOutbox(env, { now })]);
  },
});
