/**
 * The Worker with a log line for each invocation that tells what it used of databases, queues and KV. Invocations must
 * not overlap.
 */
import service from './index.js';

export * from './index.js';

const none = () => ({
  requests: 1,
  rowsRead: 0,
  rowsWritten: 0,
  queueOperations: 0,
  kvReads: 0,
  kvWrites: 0,
  calls: 0,
});
let usage = none();
let isWatched = false;

const count = (results) => {
  usage.calls += 1;
  for (const { meta } of [results].flat()) {
    usage.rowsRead += meta?.rows_read ?? 0;
    usage.rowsWritten += meta?.rows_written ?? 0;
  }
};

/** Every query of every database goes through this method of the runtime. */
function watchDatabases(env) {
  if (isWatched) return;
  isWatched = true;
  let prototype = Object.getPrototypeOf(env.DIRECTORY.withSession());
  while (!Object.hasOwn(prototype, '_send')) prototype = Object.getPrototypeOf(prototype);
  const send = prototype._send;
  prototype._send = async function (...input) {
    const results = await send.apply(this, input);
    count(results);
    return results;
  };
}

const watched = (target, methods) =>
  new Proxy(target, {
    get: (object, name) => {
      const value = Reflect.get(object, name, object);
      if (typeof value !== 'function') return value;
      return (...input) => {
        methods[name]?.(...input);
        return value.apply(object, input);
      };
    },
  });

function watch(env) {
  watchDatabases(env);
  const queue = {
    sendBatch: (messages) => (usage.queueOperations += 3 * [...messages].length),
    send: () => (usage.queueOperations += 3),
  };
  const kv = { get: () => (usage.kvReads += 1), put: () => (usage.kvWrites += 1) };
  // The price of a request adds the sample of the log of requests.
  return Object.fromEntries(
    Object.entries({ ...env, SUCCESSES_PER_ROW: '0' }).map(([name, binding]) => [
      name,
      name === 'SWEEP' || name.startsWith('WAKEUP_')
        ? watched(binding, queue)
        : name === 'GRANTS'
          ? watched(binding, kv)
          : binding,
    ]),
  );
}

/** Runs an invocation with its deferred work, and logs what it used. */
async function measure(name, env, context, run) {
  usage = none();
  const deferred = [];
  const outcome = await run(watch(env), {
    waitUntil: (work) => void deferred.push(work),
    passThroughOnException: () => undefined,
    props: {},
  });
  context.waitUntil(
    Promise.all(deferred).then(() =>
      console.log(JSON.stringify({ event: 'measured', name, ...usage })),
    ),
  );
  return outcome;
}

export default {
  fetch: (request, env, context) => {
    const { pathname } = new URL(request.url);
    return measure(`${request.method} ${pathname}`, env, context, (...input) =>
      service.fetch(request, ...input),
    );
  },
  queue: (batch, env, context) =>
    measure(batch.queue, env, context, (...input) => service.queue(batch, ...input)),
  scheduled: (controller, env, context) =>
    measure('cron', env, context, (...input) => service.scheduled(controller, ...input)),
};
