import { setTimeout as sleep } from 'node:timers/promises';
import { textOption, type Command, type CommandInput } from './command.ts';
import { isInterruption } from './follow-feed.ts';
import { openSession, type Session } from './session.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

const pollMs = 1_000;

interface LoggedDelivery {
  seq: number;
  event_id: string;
  event: string | null;
  state: string;
  attempts: number;
  code: number | null;
  error: string | null;
  duration_ms: number | null;
  created_at: { date: string };
}

interface LoggedRequest {
  id: number;
  at: { date: string };
  method: string;
  operation: string;
  status: number;
  code: string | null;
  duration_ms: number;
  request_id: string;
  sent: string[];
  one_in: number;
}

interface Webhook {
  id: number;
  name: string;
}

export const logs: Command = {
  summary: 'requests of this key or app, or deliveries of your webhooks',
  usage: '[--requests | --webhook ID] [--follow] [options]',
  details: `
Prints the newest deliveries of each webhook, oldest first: when, webhook and number, event, state, attempts and
the last answer. --requests prints what this key or app sent to the store in the past seven days: when, operation,
status, code, time taken, names of what was sent, X-Request-Id. Failures are there whole, successes as a sample.
--follow goes on with what changes, until Ctrl-C.

  store-api logs --webhook 7 --state gave_up
  store-api logs --follow
  store-api logs --requests --status 4 --follow`,
  options: {
    requests: { type: 'boolean', about: 'requests instead of deliveries' },
    operation: { type: 'string', value: 'ID', about: 'only requests of this operation' },
    status: { type: 'string', value: 'STATUS', about: 'only requests with it, or with this digit' },
    webhook: { type: 'string', value: 'ID', about: 'only this webhook' },
    state: {
      type: 'string',
      value: 'STATE',
      about: 'open, delivered, gave_up, held or cancelled',
    },
    limit: { type: 'string', value: 'COUNT', about: 'of each webhook, at most 100; else 20' },
    follow: { type: 'boolean', about: 'go on until Ctrl-C' },
  },
  run: async (input) => {
    const limit = limitOf(input);
    const session = openSession(input);
    const { terminal } = input;
    if (input.values.requests === true) return followRequests(input, session, limit);
    const webhooks = await findWebhooks(session, textOption(input, 'webhook'));
    if (webhooks.length === 0) terminal.say(`${session.store} has no webhooks.`);
    const shown = new Map<string, string>();
    return repeat(input, async () => {
      for (const webhook of webhooks) {
        for (const delivery of await newest(session, webhook, limit, textOption(input, 'state'))) {
          const key = `${webhook.id}-${delivery.seq}`;
          const state = `${delivery.state} ${delivery.attempts}`;
          if (shown.get(key) === state) continue;
          shown.set(key, state);
          printDelivery(terminal, webhook, delivery);
        }
      }
    });
  },
};

/** Looks once, or with --follow until Ctrl-C. */
async function repeat({ values, signal }: CommandInput, look: () => Promise<void>): Promise<void> {
  try {
    for (;;) {
      await look();
      if (values.follow !== true) return;
      await sleep(pollMs, undefined, { signal });
    }
  } catch (error) {
    if (!isInterruption(error)) throw error;
  }
}

/** Prints the newest requests, oldest first, and with --follow those that come. */
function followRequests(input: CommandInput, { shop }: Session, limit: number): Promise<void> {
  const { terminal } = input;
  const query = {
    limit,
    operation: textOption(input, 'operation'),
    status: textOption(input, 'status'),
  };
  let printed = 0;
  return repeat(input, async () => {
    const { data } = await shop.request<{ data: LoggedRequest[] }>('GET', '/requests', { query });
    for (const request of data.toReversed()) {
      if (request.id <= printed) continue;
      printed = request.id;
      printRequest(terminal, request);
    }
  });
}

function printRequest(terminal: Terminal, request: LoggedRequest) {
  if (terminal.isJson) return terminal.print({ ...request });
  const { at, method, operation, status, code, duration_ms: ms, sent, one_in: oneIn } = request;
  terminal.line(
    [
      at.date,
      `${method} ${operation || '-'}`.padEnd(30),
      [status, code].filter(Boolean).join(' ').padEnd(24),
      `${ms} ms`.padStart(8),
      request.request_id,
      sent.join(' '),
      oneIn === 1 ? '' : `one in ${oneIn}`,
    ]
      .join('  ')
      .trimEnd(),
  );
}

function limitOf(input: CommandInput): number {
  const limit = Number(textOption(input, 'limit') ?? 20);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new UsageError('--limit must be a whole number from 1 to 100.');
}

async function findWebhooks({ call }: Session, id: string | undefined): Promise<Webhook[]> {
  if (id !== undefined) {
    const { data } = await call<{ data: Webhook }>(`GET /webhooks/${encodeURIComponent(id)}`);
    return [data];
  }
  return (await call<{ data: Webhook[] }>('GET /webhooks?limit=100')).data;
}

/** The newest deliveries, oldest first. */
async function newest(
  { shop }: Session,
  { id }: Webhook,
  limit: number,
  state: string | undefined,
): Promise<LoggedDelivery[]> {
  const query = { limit: String(limit), ...(state !== undefined && { state }) };
  const page = await shop.request<{ data: LoggedDelivery[] }>('GET', `/webhooks/${id}/deliveries`, {
    query,
  });
  return page.data.toReversed();
}

function printDelivery(terminal: Terminal, { id }: Webhook, delivery: LoggedDelivery) {
  if (terminal.isJson) return terminal.print({ webhook_id: id, ...delivery });
  const { seq, event, state, attempts, code, error, duration_ms: ms, created_at: at } = delivery;
  const answer = [code ?? error, ms !== null && `in ${ms} ms`].filter(Boolean).join(' ');
  terminal.line(
    [
      at.date,
      `${id}-${seq}`.padEnd(9),
      (event ?? '').padEnd(27),
      state.padEnd(9),
      `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`,
      answer,
    ].join('  '),
  );
}
