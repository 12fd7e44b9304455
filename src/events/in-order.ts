import { eventNames, type EventName } from './catalogue.ts';

/** A webhook's events in the order of the specification. */
export const inOrder = <W extends { events: readonly EventName[] }>(webhook: W) => ({
  ...webhook,
  events: eventNames.filter((name) => webhook.events.includes(name)),
});
