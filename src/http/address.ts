/** A path of the specification as Hono writes it: `{id}` becomes `:id`. */
export const addressOf = (base: string, path: string): string =>
  base + path.replaceAll(/\{(\w+)\}/g, ':$1');
