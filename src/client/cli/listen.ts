import { hostname } from 'node:os';
import { eventNames } from '../../data/grants/event-catalogue.ts';
import { textOption, textsOf, type Command, type CommandInput } from './command.ts';
import { followFeed, isInterruption } from './follow-feed.ts';
import { Receiver, type Verdict } from './forward.ts';
import { openSession, type Session } from './session.ts';
import type { Data } from './store-steps.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export const listen: Command = {
  summary: "bring a store's events to your own port, signed as in production",
  usage: '--forward-to URL [--event NAME ...]',
  details: `
Makes a paused webhook for the time it runs, so that events are recorded, and prints its signing secret once.
Each event is sent to your URL once, in order, with the headers and signatures of the service. What your
receiver answered is printed, with what the service would have done. Ctrl-C removes the webhook.
In a second terminal, store-api trigger order.paid causes an event.

  store-api listen --forward-to http://localhost:3000/hook
  store-api listen --forward-to http://localhost:3000/hook --event order.paid --event order.created`,
  options: {
    'forward-to': { type: 'string', value: 'URL', about: 'where your receiver listens' },
    event: { type: 'string', multiple: true, value: 'NAME', about: 'only this event; repeatable' },
  },
  run: async (input) => {
    const url = forwardUrl(input);
    const names = selectedEvents(input);
    // Without the signal of Ctrl-C: the webhook is removed after it.
    const session = openSession({ ...input, signal: new AbortController().signal });
    const serviceName = await readServiceName(session.origin);
    await removeLeftovers(session);
    const webhook = await createWebhook(session, names);
    const { terminal, signal } = input;
    try {
      terminal.say(
        `Listening to ${session.store} at ${session.origin}, forwarding to ${url.href}.`,
      );
      terminal.say(`Signing secret: ${webhook.secret_key}`);
      const receiver = await Receiver.create(url, webhook, serviceName);
      await receiver.awaitListener(terminal, signal);
      for await (const event of followFeed(session.call, webhook.id, names, signal)) {
        await receiver.awaitListener(terminal, signal);
        if (signal.aborted) break;
        printVerdict(terminal, await receiver.send(event), webhook.created_at.timezone);
      }
    } catch (error) {
      if (!isInterruption(error)) throw error;
    } finally {
      await session.call(`DELETE /webhooks/${webhook.id}`);
      terminal.say('The webhook is removed.');
    }
  },
};

function forwardUrl(input: CommandInput): URL {
  const text = textOption(input, 'forward-to') ?? input.positionals[0];
  if (text === undefined)
    throw new UsageError('Where to? Add --forward-to http://localhost:3000/hook.');
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${text} is not a URL. Write it like http://localhost:3000/hook.`);
  }
  return url;
}

function selectedEvents(input: CommandInput): readonly string[] {
  const names = textsOf(input, 'event');
  const unknown = names.find((name) => !eventNames.some((known) => known === name));
  if (unknown !== undefined) {
    throw new UsageError(`There is no event ${unknown}. The events are ${eventNames.join(', ')}.`);
  }
  return names.length > 0 ? names : eventNames;
}

/** The header names of deliveries contain the name of the service; its document has them. */
async function readServiceName(origin: string): Promise<string> {
  const response = await fetch(`${origin}/openapi.json`);
  const [, name] = /"X-([\w-]+)-Hmac-SHA256"/.exec(await response.text()) ?? [];
  if (name === undefined)
    throw new Error(`${origin}/openapi.json is not the document of this API.`);
  return name;
}

/** Begins the names of these webhooks on this machine; the number of the process follows. */
const namePrefix = `store-api listen on ${hostname().slice(0, 40)}, process `;

interface NewWebhook {
  id: number;
  secret_key: string;
  /** Names the time zone of the store. */
  created_at: { timezone: string };
}

async function createWebhook({ call }: Session, events: readonly string[]) {
  const { data } = await call<Data<NewWebhook>>('POST /webhooks', {
    name: `${namePrefix}${process.pid}`,
    // No request goes there: a webhook that is not active holds its deliveries.
    url: `https://example.com/store-api-listen?process=${process.pid}`,
    events,
    active: false,
  });
  return data;
}

/** Deletes the webhooks of processes that were killed before they could. */
async function removeLeftovers({ call }: Session) {
  const { data } = await call<Data<{ id: number; name: string }[]>>('GET /webhooks?limit=100');
  for (const { id, name } of data) {
    const pid = name.startsWith(namePrefix) ? Number(name.slice(namePrefix.length)) : Number.NaN;
    if (Number.isInteger(pid) && !isRunning(pid)) await call(`DELETE /webhooks/${id}`);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function printVerdict(terminal: Terminal, verdict: Verdict, timeZone: string) {
  if (terminal.isJson) return terminal.print(verdict);
  const { event, id, status, ms, verdict: meaning } = verdict;
  const time = new Date().toLocaleTimeString('en-GB', { timeZone });
  terminal.line(`${time}  ${event.padEnd(27)}  ${id}  ${status ?? '---'} in ${ms} ms, ${meaning}`);
}
