import { createServer } from 'node:net';
import { parseArgs } from 'node:util';

export const startUsage =
  'npm start -- [--port 8787] [--state .wrangler/state] [--empty] [--watch]';

export interface StartOptions {
  port: number;
  /** Folder of databases, keys and the inbox, as in `wrangler dev --persist-to`. */
  state: string;
  /** Whether the Worker restarts after each change of its sources. */
  watch: boolean;
  /** Whether it starts without demo data, in a state folder of its own. */
  empty: boolean;
}

/** Parses the command line. Throws an error whose message can be shown to the user. */
export function parseStartOptions(args: readonly string[]): StartOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '8787' },
      state: { type: 'string' },
      empty: { type: 'boolean', default: false },
      watch: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port < 1 || port > 65_535) {
    throw new Error(`--port must be a number from 1 to 65535, not "${values.port}".`);
  }
  const { watch, empty } = values;
  const state = values.state ?? (empty ? '.wrangler/state-empty' : '.wrangler/state');
  return { port, state, watch, empty };
}

/** Rejects, with a message for the user, when the port cannot be used. */
export function assertPortIsFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is taken`
          : `Port ${port} cannot be used (${error.code})`;
      reject(
        new Error(
          `${reason}. Choose another one: npm start -- --port ${port === 9000 ? 9001 : 9000}`,
        ),
      );
    });
    probe.listen(port, 'localhost', () => probe.close(() => resolve()));
  });
}
