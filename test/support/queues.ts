/** Bindings in which one queue stands for all queues of hints. */
export const hintsTo = (queue: unknown) =>
  Object.fromEntries(
    ['FAST_0', 'FAST_1', 'FAST_2', 'FAST_3', 'SLOW_0', 'SLOW_1'].map((name) => [
      `HINTS_${name}`,
      queue,
    ]),
  ) as unknown as Partial<Env>;
