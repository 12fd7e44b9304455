import type { Miniflare } from 'miniflare';
import { prepareText } from '../../data/core/open-database.ts';

/** A statement as it is sent: bytes among its values are objects with an array. */
interface SentStatement {
  sql: string;
  values: unknown[];
}

/**
 * How D1 runs a request: all statements in one transaction, or a single one whose rows are arrays.
 */
type Mode = 'batch' | 'raw';

/**
 * The Worker while the databases are created: runs the statements of {@link SetupDatabase}. The
 * bindings that Miniflare gives to Node cross to the runtime for each `prepare` and `bind`,
 * synchronously, which took most of a first start.
 */
export const setupWorker = `const prepareText = ${prepareText.toString()};
export default {
  async fetch(request, env) {
    const { binding, mode, statements } = await request.json();
    const valueOf = (value) => (value?.bytes ? new Uint8Array(value.bytes) : value);
    const database = env[binding];
    const prepared = statements.map(({ sql, values }) =>
      prepareText(database, sql).bind(...values.map(valueOf)));
    try {
      return Response.json(await (mode === 'raw' ? prepared[0].raw() : database.batch(prepared)));
    } catch (error) {
      return new Response(error.message, { status: 500 });
    }
  },
}`;

const sendValue = (value: unknown) =>
  value instanceof ArrayBuffer || value instanceof Uint8Array
    ? { bytes: [...new Uint8Array(value)] }
    : value;

/** Sends statements to {@link setupWorker}. Throws the message of the database. */
async function send(
  miniflare: Miniflare,
  request: { binding: string; mode: Mode; statements: SentStatement[] },
): Promise<unknown> {
  const body = JSON.stringify(request);
  const response = await miniflare.dispatchFetch('http://setup.invalid', { method: 'POST', body });
  if (response.status !== 200) throw new Error(await response.text());
  return response.json();
}

type Send = (mode: Mode, statements: SentStatement[]) => Promise<unknown>;

/** A prepared statement that stays in Node until it runs. */
class SetupStatement {
  readonly #send: Send;
  readonly sent: SentStatement;

  constructor(send: Send, sent: SentStatement) {
    this.#send = send;
    this.sent = sent;
  }

  bind(...values: unknown[]) {
    return new SetupStatement(this.#send, { ...this.sent, values: values.map(sendValue) });
  }

  async all() {
    const [result] = (await this.#send('batch', [this.sent])) as { results: unknown[] }[];
    return result;
  }

  run() {
    return this.all();
  }

  async first() {
    return (await this.all())?.results[0] ?? null;
  }

  raw() {
    return this.#send('raw', [this.sent]);
  }
}

/**
 * Returns a database for migrations and seeds, with the methods that these and Drizzle call. Each
 * run is one request.
 */
export function openSetupDatabase(miniflare: Miniflare, binding: string): D1Database {
  const sendTo = (mode: Mode, statements: SentStatement[]) =>
    send(miniflare, { binding, mode, statements });
  const database = {
    prepare: (sql: string) => new SetupStatement(sendTo, { sql, values: [] }),
    batch: (statements: SetupStatement[]) =>
      sendTo(
        'batch',
        statements.map(({ sent }) => sent),
      ),
  };
  return database as unknown as D1Database;
}
