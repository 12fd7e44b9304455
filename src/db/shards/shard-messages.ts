import { restoringShards, shardBindings } from './shards.ts';

/**
 * Reads the messages of a queue that name a shard. Leaves out those of a shard that is being restored, and calls `onMalformed`
 * for one that `parse` rejects or whose shard is unknown.
 */
export function readShardMessages<Message extends { shard: number }>(
  { messages }: MessageBatch,
  env: Env,
  parse: (body: unknown) => Message | undefined,
  onMalformed: () => void,
): { message: Message; db: D1Database }[] {
  const bindings = shardBindings(env);
  return messages.flatMap(({ body }) => {
    const message = parse(body);
    const db = message && bindings.get(message.shard);
    if (db) return [{ message, db }];
    if (!message || !restoringShards(env).has(message.shard)) onMalformed();
    return [];
  });
}
