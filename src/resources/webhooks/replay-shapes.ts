import * as z from 'zod';
import type { ReplayRow } from '../../events/replay-record.ts';
import { dateTime } from '../../wire/datetime.ts';
import { deliveryStates } from './delivery-shapes.ts';

/** The states of a replay, in the order of their numbers in the database. */
export const replayStates = ['running', 'done', 'cancelled'] as const;

/** A replay: what it sends again and how far it is. */
export const Replay = z
  .object({
    id: z.int(),
    state: z.enum(replayStates),
    seq: z.int().nullable(),
    event_id: z.string().nullable(),
    from: dateTime.nullable(),
    to: dateTime.nullable(),
    states: z.array(z.enum(deliveryStates)).nullable(),
    events: z.array(z.string()).nullable(),
    total: z.int(),
    done: z.int(),
    skipped: z.int(),
    created_at: dateTime,
    done_at: dateTime.nullable(),
  })
  .meta({
    id: 'Replay',
    description: 'done deliveries were added; skipped had a body that is kept no longer.',
  });

/** The replay of an event at one of the webhooks that had it. */
export const EventReplay = Replay.extend({ webhook_id: z.int() }).meta({
  id: 'EventReplay',
  description: 'A replay, and the webhook that it is of.',
});

/** A replay as its rows show it. */
export function shown({ filter, ...replay }: ReplayRow): z.input<typeof Replay> {
  const range = 'from' in filter ? filter : undefined;
  const wordOf = (state: number) => deliveryStates[state] ?? 'open';
  return {
    ...replay,
    state: replayStates[replay.state] ?? 'running',
    seq: 'seq' in filter ? filter.seq : null,
    event_id: 'event_id' in filter ? filter.event_id : null,
    from: range?.from ?? null,
    to: range?.to ?? null,
    states: range?.states.map(wordOf) ?? null,
    events: range?.events ?? null,
  };
}
