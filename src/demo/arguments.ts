import { parseArgs } from 'node:util';

export const usage = 'npm start -- [--port 8787] [--state .wrangler/state]';

export interface Arguments {
  port: number;
  /** Folder of databases, keys and the inbox, as in `wrangler dev --persist-to`. */
  state: string;
}

/** Reads the command line; throws a sentence about what is wrong with it. */
export function readArguments(given: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...given],
    options: {
      port: { type: 'string', default: '8787' },
      state: { type: 'string', default: '.wrangler/state' },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port < 1 || port > 65_535) {
    throw new Error(`--port must be a number from 1 to 65535, not "${values.port}".`);
  }
  return { port, state: values.state };
}
