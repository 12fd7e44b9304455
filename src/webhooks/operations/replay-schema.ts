import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import type { ReplayRow, StartedReplay } from '../replay/record.ts';
import { deliveryStateNames } from './delivery-schema.ts';

/** Names of the states of a replay, indexed by the number in the database. */
const replayStateNames = ['running', 'done', 'cancelled'] as const;

/** A replay: its filter and its progress. */
export const ReplaySchema = z
  .object({
    id: idOutput,
    state: z.enum(replayStateNames),
    seq: z.int().nullable(),
    event_id: z.string().nullable(),
    from: dateTime.nullable(),
    to: dateTime.nullable(),
    states: z.array(z.enum(deliveryStateNames)).nullable(),
    events: z.array(z.string()).nullable(),
    total: z.int(),
    done: z.int(),
    skipped: z.int(),
    created_at: dateTime,
    done_at: dateTime.nullable(),
  })
  .meta({ id: 'Replay' });

const replayMeanings = {
  state: 'running, done or cancelled.',
  seq: 'Delivery to repeat, when one was asked for; else null.',
  event_id: 'Event to repeat, when one was asked for; else null.',
  from: 'Start of the range of time; null for one delivery or event.',
  to: 'End of the range, exclusive; null for one delivery or event.',
  states: 'States of the deliveries to repeat; null for one delivery or event.',
  events: 'Events to repeat; null for one delivery or event.',
  total: 'Deliveries that the replay covers.',
  done: 'Deliveries that were created so far.',
  skipped: 'Deliveries left out, such as those whose body is no longer stored.',
  created_at: 'When the replay was asked for.',
  done_at: 'When the replay ended; null while it runs.',
};

/* @__PURE__ */ explain(
  ReplaySchema,
  'An order to send deliveries again, with its progress.',
  replayMeanings,
);

export const EventReplaySchema = ReplaySchema.extend({
  webhook_id: z.int(),
}).meta({ id: 'EventReplay' });

/* @__PURE__ */ explain(EventReplaySchema, 'A replay with the id of its webhook.', replayMeanings, {
  webhook_id: 'Webhook that gets the event again.',
});

/** Why a replay that was just started is not sent at once. */
function warnOfWaiting({ endpoint_id: id, waits }: StartedReplay, now: number): string | undefined {
  if (waits === null) return undefined;
  if (waits === 'held') return `Webhook ${id} is not active: held until it is resumed`;
  const seconds = Math.ceil((waits - now) / 1000);
  return `Webhook ${id} is failing: sent after its next attempt, in ${seconds} seconds; a ping that it answers with 2xx, or a resume, makes that now`;
}

/** The answer that starts a replay, with its warning. */
export const serializeStarted = (replay: StartedReplay, now: number) => ({
  ...serializeReplay(replay),
  webhook_id: replay.endpoint_id,
  warning: warnOfWaiting(replay, now),
});

export type StartedAnswer = ReturnType<typeof serializeStarted>;

/** The value of `X-Warning` of the answer that starts these replays. */
export const warningOfStarted = (answers: StartedAnswer | readonly StartedAnswer[]) =>
  [answers]
    .flat()
    .flatMap(({ warning }) => warning ?? [])
    .join('; ') || undefined;

export function serializeReplay({ filter, ...replay }: ReplayRow): z.input<typeof ReplaySchema> {
  const range = 'from' in filter ? filter : undefined;
  const stateName = (state: number) => deliveryStateNames[state] ?? 'open';
  return {
    ...replay,
    state: replayStateNames[replay.state] ?? 'running',
    seq: 'seq' in filter ? filter.seq : null,
    event_id: 'event_id' in filter ? filter.event_id : null,
    from: range?.from ?? null,
    to: range?.to ?? null,
    states: range?.states.map(stateName) ?? null,
    events: range?.events ?? null,
  };
}

/* @__PURE__ */ explainEnum('ReplayState', 'How far a replay has come.', {
  running: 'Deliveries are being made; done and total show how many.',
  done: 'All deliveries are made. They may still be on their way.',
  cancelled: 'Stopped; deliveries that were made are still sent.',
});
