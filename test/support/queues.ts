const names = ['FAST_0', 'FAST_1', 'FAST_2', 'FAST_3', 'SLOW_0', 'SLOW_1'];

/** Bindings in which other queues stand for the queues of hints, made by their names. */
export const hintsTo = (queue: (name: string) => unknown) =>
  Object.fromEntries(
    names.map((name) => [`HINTS_${name}`, queue(`HINTS_${name}`)]),
  ) as unknown as Partial<Env>;
