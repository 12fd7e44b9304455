import * as z from 'zod';
import { localIso, localTime, parseLocal } from './local-time.ts';
import { currentZone, isZone } from './zone.ts';

export { localTime } from './local-time.ts';

const DateTimeObject = z
  .object({
    date: z.string().meta({ examples: ['2031-03-05 9:04:07'] }),
    timezone_type: z.literal(3),
    timezone: z.string().meta({ examples: ['America/Sao_Paulo'] }),
  })
  .meta({
    id: 'DateTime',
    description: "Local time of the store's zone; the hour is not zero-padded.",
  });

/** The DateTime object of the specification, as it stands in a reply. */
export type DateTime = z.output<typeof DateTimeObject>;

/** Reply: epoch milliseconds, shown as a DateTime object; inside `inZone` only. */
export const dateTime = z.codec(z.int(), DateTimeObject, {
  decode: (instant) => shown(instant, currentZone(), 19),
  encode: hidden,
});

/** Reply: as `dateTime`, with six digits after the seconds (transactions). */
export const dateTimeMicro = z.codec(z.int(), DateTimeObject, {
  decode: (instant) => {
    const { date, ...rest } = shown(instant, currentZone(), 23);
    return { date: `${date}000`, ...rest };
  },
  encode: hidden,
});

/** Reply: epoch milliseconds, shown as `YYYY-MM-DD HH:MM:SS`; inside `inZone` only. */
export const local = z.codec(z.int(), z.string().meta({ examples: ['2031-03-05 09:04:07'] }), {
  decode: (instant) => localTime(instant, currentZone()),
  encode: (text) => parseLocal(text, currentZone()) ?? Number.NaN,
});

/** A moment with the zone it is shown in, for rows that belong to different stores. */
const InZone = z.object({ at: z.int(), zone: z.string() });

/** Reply: as `dateTime`, in a zone of its own. */
export const dateTimeIn = z.codec(InZone, DateTimeObject, {
  decode: ({ at, zone }) => shown(at, zone, 19),
  encode: (object) => ({ at: hidden(object), zone: object.timezone }),
});

/** Reply: as `local`, in a zone of its own; reading it back takes the zone of `inZone`. */
export const localIn = z.codec(InZone, z.string().meta({ examples: ['2031-03-05 09:04:07'] }), {
  decode: ({ at, zone }) => localTime(at, zone),
  encode: (text) => ({ at: parseLocal(text, currentZone()) ?? Number.NaN, zone: currentZone() }),
});

/** Reply: epoch milliseconds, shown as ISO 8601 in UTC without a fraction. */
export const iso = z.codec(z.int(), z.string().meta({ format: 'date-time' }), {
  decode: (instant) => `${new Date(instant).toISOString().slice(0, 19)}Z`,
  encode: (text) => Date.parse(text),
});

function shown(instant: number, timezone: string, end: 19 | 23): DateTime {
  const written = localIso(instant, timezone);
  const clock = written.slice(written[11] === '0' ? 12 : 11, end);
  return { date: `${written.slice(0, 10)} ${clock}`, timezone_type: 3, timezone };
}

function hidden({ date, timezone }: DateTime): number {
  // NaN fails the stored side, so a malformed date ends as a ZodError.
  return (isZone(timezone) ? parseLocal(date, timezone) : undefined) ?? Number.NaN;
}
