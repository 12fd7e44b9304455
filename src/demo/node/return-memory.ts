/** glibc then returns freed blocks of this size and more to the system. */
const blockBytes = '131072';

const variables = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: blockBytes,
  MALLOC_TRIM_THRESHOLD_: blockBytes,
};

/** Little space for new objects, and a function that collects garbage. */
const nodeOptions = ['--max-semi-space-size=2', '--expose-gc'];

/**
 * Flags of V8 in workerd, which Miniflare passes on. Some ten isolates run there: the Worker, and those of Miniflare for databases and
 * queues. In an idle one V8 collects garbage only when its heap is twenty times as large, and garbage holds native memory: runs of
 * cron alone added 250 MB. With a small first limit of the heap it is collected in time.
 */
const workerdFlags = '--max-semi-space-size=1 --initial-old-space-size=4';

/**
 * Replaces this process by itself with options that can only be set before its start. Otherwise it would keep some 200 MB of the
 * start as long as the service runs. Does nothing in the new process, and where it is not possible: outside Linux, and
 * before Node 22.15.
 */
export function restartReturningMemory(): void {
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= workerdFlags;
  if (globalThis.gc !== undefined || process.platform !== 'linux' || !process.execve) return;
  const [, ...args] = process.argv;
  const options = [process.execPath, ...process.execArgv, ...nodeOptions, ...args];
  process.execve(process.execPath, options, { ...process.env, ...variables });
}

/** Returns unused memory of an idle service now and then; the first time soon after the start. */
export function returnMemory(): void {
  setInterval(() => {
    globalThis.gc?.();
  }, 10_000).unref();
}
