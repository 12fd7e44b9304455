import { answerText } from './answer-text.ts';
import { eventMeaning } from './event-meaning.ts';
import { milliseconds } from './milliseconds.ts';
import { MomentText } from './moment-text.tsx';
import { NextAttemptText, type NextAttempt } from './next-attempt.tsx';
import type { Words } from './words/en.ts';
import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

export type DeliveryStateName = keyof Words['deliveries']['states'];

/** A delivery of the log; moments are epoch milliseconds. */
export interface ShownDelivery {
  seq: number;
  /** `null` once it is kept no longer. */
  event: string | null;
  state: DeliveryStateName;
  attempts: number;
  code: number | null;
  error: string | null;
  durationMs: number | null;
  at: number;
  nextAt: NextAttempt | null;
  /** Number of the delivery that it sends again. */
  replayOf: number | null;
}

export type ListedDelivery = ShownDelivery & { href: string };

/** Some deliveries of a log. */
export const DeliveryList = ({
  deliveries,
  ...format
}: {
  deliveries: readonly ListedDelivery[];
  language: Language;
  zone: string;
}) => {
  const said = wordsOf(format.language).deliveries;
  return (
    <table>
      <caption>{said.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{said.delivery}</th>
          <th scope="col">{said.state}</th>
          <th scope="col">{said.answer}</th>
          <th scope="col">{said.duration}</th>
          <th scope="col">{said.attempts}</th>
          <th scope="col">{said.at}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <Row delivery={delivery} {...format} />
        ))}
      </tbody>
    </table>
  );
};

const Row = ({
  delivery,
  ...format
}: {
  delivery: ListedDelivery;
  language: Language;
  zone: string;
}) => {
  const { language } = format;
  const said = wordsOf(language).deliveries;
  const { state, code, error, durationMs, nextAt, attempts } = delivery;
  const isTried = code !== null || error !== null;
  return (
    <tr>
      <th scope="row">
        <a href={delivery.href}>
          {delivery.seq} · {eventMeaning(delivery.event, language)}
        </a>
      </th>
      <td data-label={said.state}>
        <span class={`state ${state}`}>{said.states[state]}</span>
      </td>
      <td data-label={said.answer}>{isTried ? answerText({ code, error }, language) : '–'}</td>
      <td data-label={said.duration}>
        {durationMs === null ? '–' : milliseconds(durationMs, language)}
      </td>
      <td data-label={said.attempts}>{attempts.toLocaleString(language)}</td>
      <td data-label={said.at}>
        <MomentText {...format} at={delivery.at} />
        {nextAt !== null && (
          <span class="muted next">
            {said.nextAttempt}: <NextAttemptText {...format} at={nextAt} />
          </span>
        )}
      </td>
    </tr>
  );
};
