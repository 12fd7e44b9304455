import type { Language } from '../../base/languages.ts';
import { RelativeTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messageOrOther, messagesFor } from '../../web/texts/messages.ts';

/** The result of a request to a receiver. */
export interface RequestResult {
  status: number | null;
  /** Class of the error; `null` for success. */
  error: string | null;
}

/** Formats the status and its meaning. */
export function formatResult({ status, error }: RequestResult, language: Language): string {
  const { errors, success } = messagesFor(language).deliveries;
  const meaning = error === null ? success : messageOrOther(errors, error);
  return status === null ? meaning : `${status}. ${meaning}`;
}

/**
 * Describes an event; `null` is an event that is no longer stored. An unknown event is shown by its
 * name.
 */
export function describeEvent(event: string | null, language: Language): string {
  const { meanings } = messagesFor(language).webhooks;
  if (event === null) return meanings.other;
  return Object.hasOwn(meanings, event) ? meanings[event as keyof typeof meanings] : event;
}

/** The id of the form that {@link TryNow} sends. */
export const tryFormId = 'webhook-actions';

/** The button beside the time of the next attempt that makes it now. */
export const TryNow = ({ language }: { language: Language }) => (
  <button class="plain" form={tryFormId} name="action" value="tryNow">
    {messagesFor(language).deliveries.tryNow}
  </button>
);

/** The time of the next attempt in epoch milliseconds, or `soon` if it is due. */
export type NextAttempt = number | 'soon';

/** How the pages of webhooks show times: those near `now` (epoch milliseconds) as a distance. */
export interface TimeFormat {
  language: Language;
  zone: string;
  now: number;
}

/** How the pages of a store show them. */
export const timeFormatOf = ({ language, store, now }: SignedInPage): TimeFormat => ({
  language,
  zone: store.zone,
  now,
});

export const NextAttemptText = ({ at, ...format }: TimeFormat & { at: NextAttempt }) =>
  at === 'soon' ? (
    <>{messagesFor(format.language).webhooks.soon}</>
  ) : (
    <RelativeTime {...format} at={at} />
  );
