import type * as z from 'zod';
import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import type { appEventDefinitions } from './app-event-schemas.ts';

type AppEvent = (typeof appEventDefinitions)[number];

export type AppEventName = AppEvent['name'];

/** The body of such an event, in the form of all events. */
export const appEventBody = (
  event: AppEventName,
  at: number,
  store: { id: number; alias: string; zone: string },
  resource: z.output<AppEvent['resource']>,
): string =>
  JSON.stringify({
    event,
    time: formatLocalTime(at, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource,
  });
