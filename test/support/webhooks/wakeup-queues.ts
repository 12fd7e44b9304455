const names = ['FAST_0', 'FAST_1', 'FAST_2', 'FAST_3', 'SLOW_0', 'SLOW_1'];

/** Bindings with other wake-up queues, created from the names of their bindings. */
export const wakeupBindings = (queue: (name: string) => unknown) =>
  Object.fromEntries(
    names.map((name) => [`WAKEUP_${name}`, queue(`WAKEUP_${name}`)]),
  ) as unknown as Partial<Env>;
