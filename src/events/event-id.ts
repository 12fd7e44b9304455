const hexTime = (moment: number) => moment.toString(16).padStart(12, '0');

/** A new event's id: time first (epoch milliseconds), so that ids sort by time; then 80 random bits. */
export function newEventId(now: number): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `evt_${hexTime(now)}${hex}`;
}

/** What sorts before the ids of that moment and all later ones, and after all earlier ones. */
export const eventIdAt = (moment: number) => `evt_${hexTime(moment)}`;
