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

interface Webhook {
  id: number;
  name: string;
}

export const logs: Command = {
  summary: 'deliveries of your webhooks, and what receivers answered',
  usage: '[--webhook ID] [--follow] [options]',
  details: `
Prints the newest deliveries of each webhook, oldest first: when, webhook and number, event, state, attempts and
the last answer. --follow goes on with what changes, until Ctrl-C.

  store-api logs --webhook 7 --state gave_up
  store-api logs --follow`,
  options: {
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
    const { terminal, signal } = input;
    const webhooks = await findWebhooks(session, textOption(input, 'webhook'));
    if (webhooks.length === 0) terminal.say(`${session.store} has no webhooks.`);
    const shown = new Map<string, string>();
    try {
      for (;;) {
        for (const webhook of webhooks) {
          for (const delivery of await newest(
            session,
            webhook,
            limit,
            textOption(input, 'state'),
          )) {
            const key = `${webhook.id}-${delivery.seq}`;
            const state = `${delivery.state} ${delivery.attempts}`;
            if (shown.get(key) === state) continue;
            shown.set(key, state);
            printDelivery(terminal, webhook, delivery);
          }
        }
        if (input.values.follow !== true) return;
        await sleep(pollMs, undefined, { signal });
      }
    } catch (error) {
      if (!isInterruption(error)) throw error;
    }
  },
};

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
