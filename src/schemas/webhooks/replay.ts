import * as z from 'zod';
import { dateTime } from '../../codecs/time/date-time.ts';
import type { ReplayRow } from '../../webhooks/replay/record.ts';
import { deliveryStateNames } from './delivery.ts';

/** Names of the states of a replay, indexed by the number in the database. */
const replayStateNames = ['running', 'done', 'cancelled'] as const;

/** A replay: its filter and its progress. */
export const ReplaySchema = z
  .object({
    id: z.int(),
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
  .meta({
    id: 'Replay',
    description:
      'done counts the deliveries that were created, skipped those whose body is no longer stored.',
  });

export const EventReplaySchema = ReplaySchema.extend({ webhook_id: z.int() }).meta({
  id: 'EventReplay',
  description: 'A replay with the id of its webhook.',
});

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
