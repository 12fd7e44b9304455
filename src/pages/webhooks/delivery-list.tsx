import type { Language } from '../../base/languages.ts';
import { webhookPaths } from '../../base/page-paths.ts';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { RelativeTime, formatMilliseconds } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import type { LoggedDelivery } from '../../webhooks/log/list-deliveries.ts';
import { progressOf, type DeliveryStateName } from './views.ts';
import { NextAttemptText, describeEvent, formatResult, timeFormatOf } from './webhook-texts.tsx';

/** The states that the log can be filtered by. */
export const deliveryFilters = ['failed', 'gaveUp', 'held'] as const;

export type DeliveryFilter = (typeof deliveryFilters)[number];

/** Links that filter the log by state. */
export const DeliveryFilterNav = ({
  current,
  hrefOf,
  language,
}: {
  current: DeliveryFilter | undefined;
  hrefOf: (filter: DeliveryFilter | undefined) => string;
  language: Language;
}) => {
  const { filter: label, filters } = messagesFor(language).deliveries;
  return (
    <nav class="filters" aria-label={label}>
      {[undefined, ...deliveryFilters].map((filter) => (
        <a href={hrefOf(filter)} aria-current={filter === current ? 'page' : undefined}>
          {filters[filter ?? 'all']}
        </a>
      ))}
    </nav>
  );
};

const tones: Readonly<Record<DeliveryStateName, Tone>> = {
  open: 'neutral',
  waiting: 'neutral',
  retrying: 'warn',
  delivered: 'good',
  gaveUp: 'danger',
  held: 'warn',
  cancelled: 'neutral',
};

/** The state of a delivery; of one that waits for its next attempt with the time of it. */
export const DeliveryStateText = ({
  page,
  delivery,
}: {
  page: SignedInPage;
  delivery: LoggedDelivery;
}) => {
  const { states, nextTry, nextTrySoon } = page.messages.deliveries;
  const { state, nextAttemptAt: at } = progressOf(delivery, page.now);
  const badge = <StateBadge tone={tones[state]} text={states[state]} />;
  if (at === null || !waitsForAttempt(state)) return badge;
  if (at === 'soon') return <>{[badge, `, ${nextTrySoon}`]}</>;
  const when = <RelativeTime {...timeFormatOf(page)} at={at} />;
  return <>{[badge, ', ', <Interpolate text={nextTry} parts={{ when }} />]}</>;
};

/** Whether a delivery waits for an attempt, whose time its state then says. */
export const waitsForAttempt = (state: DeliveryStateName) =>
  state === 'retrying' || state === 'waiting';

/** A page of the delivery log of a webhook. */
export const DeliveryList = ({
  page,
  deliveries,
}: {
  page: SignedInPage;
  deliveries: readonly LoggedDelivery[];
}) => {
  const t = page.messages.deliveries;
  return (
    <table>
      <caption>{t.caption}</caption>
      <thead>
        <tr>
          <th scope="col">{t.delivery}</th>
          <th scope="col">{t.state}</th>
          <th scope="col">{t.response}</th>
          <th scope="col">{t.duration}</th>
          <th scope="col">{t.attempts}</th>
          <th scope="col">{t.at}</th>
        </tr>
      </thead>
      <tbody>
        {deliveries.map((delivery) => (
          <DeliveryRow {...{ page, delivery }} />
        ))}
      </tbody>
    </table>
  );
};

const DeliveryRow = ({ page, delivery }: { page: SignedInPage; delivery: LoggedDelivery }) => {
  const { language, messages, store } = page;
  const format = timeFormatOf(page);
  const t = messages.deliveries;
  const { seq, response_status: status, error, duration_ms: durationMs } = delivery;
  const { state, nextAttemptAt } = progressOf(delivery, page.now);
  const isAttempted = status !== null || error !== null;
  return (
    <tr>
      <th scope="row">
        <a href={webhookPaths.delivery(store.alias, delivery.endpoint_id, seq)}>
          {seq} · {describeEvent(delivery.event, language)}
        </a>
      </th>
      <td data-label={t.state}>
        <DeliveryStateText {...{ page, delivery }} />
      </td>
      <td data-label={t.response}>
        {isAttempted ? formatResult({ status, error }, language) : '–'}
      </td>
      <td data-label={t.duration}>
        {durationMs === null ? '–' : formatMilliseconds(durationMs, language)}
      </td>
      <td data-label={t.attempts}>{delivery.attempts.toLocaleString(language)}</td>
      <td data-label={t.at}>
        <RelativeTime {...format} at={delivery.created_at} />
        {nextAttemptAt !== null && !waitsForAttempt(state) && (
          <span class="muted next">
            {t.nextAttempt}: <NextAttemptText {...format} at={nextAttemptAt} />
          </span>
        )}
      </td>
    </tr>
  );
};
