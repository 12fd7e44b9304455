/** The queues of hints by their number: lanes that are well, and lanes that fail or are slow. */
export interface HintQueues {
  fast: readonly Queue[];
  slow: readonly Queue[];
}

/** The bindings `HINTS_FAST_0`, ... and `HINTS_SLOW_0`, ... of wrangler.toml, as many as there are. */
export function hintQueues(env: Env): HintQueues {
  const bindings = env as unknown as Record<string, Queue | undefined>;
  const numbered = (prefix: string) => {
    const found: Queue[] = [];
    for (let queue; (queue = bindings[`${prefix}${found.length}`]);) found.push(queue);
    if (found.length === 0) throw new Error(`no binding ${prefix}0`);
    return found;
  };
  return { fast: numbered('HINTS_FAST_'), slow: numbered('HINTS_SLOW_') };
}

/** The queue of an endpoint: one that hangs can hold up only those that share it. */
export function queueFor(queues: HintQueues, endpoint: number, isSlow: boolean): Queue {
  const among = isSlow ? queues.slow : queues.fast;
  const queue = among[endpoint % among.length];
  if (!queue) throw new Error('no queue of hints');
  return queue;
}
