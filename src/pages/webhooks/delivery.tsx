import * as z from 'zod';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { webhookPaths, withQueryParameter } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput } from '../../web/components/form-fields.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime, formatMilliseconds } from '../../web/components/time.tsx';
import { sentText } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { parsePathNumber, type SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { sendHeldDelivery } from '../../webhooks/endpoints/send-held.ts';
import { findDelivery, type LoggedDeliveryDetails } from '../../webhooks/log/delivery-record.ts';
import { startReplay } from '../../webhooks/replay/start-replay.ts';
import {
  DeliveryStateText,
  waitsForAttempt,
  type DeliveryListItem,
  type DeliveryView,
} from './delivery-list.tsx';
import { openOwnWebhook, requireEndpoint, sendingOf } from './own-webhook.ts';
import { toDeliveryView } from './views.ts';
import { tryWebhookNow } from './webhook-actions.tsx';
import {
  NextAttemptText,
  TryNow,
  describeEvent,
  formatResult,
  tryFormId,
  type TimeFormat,
} from './webhook-texts.tsx';

/**
 * `/account/webhooks/{alias}/{id}/deliveries/{seq}`: one delivery, its attempts and the body that was sent. Its form sends a
 * held delivery now, or another one again, or makes the next attempt of its webhook now.
 */
export const deliveryForm = userForm({
  path: webhookPaths.delivery(':alias', ':id', ':seq'),
  role: Role.manager,
  showRole: Role.viewer,
  limit: 'webhooks',
  part: 'webhooks',
  async load(page) {
    const { db, actor, id } = openOwnWebhook(page);
    const [seq, again] = [page.id('seq'), page.query('again')];
    const [endpoint, delivery, resent] = await Promise.all([
      requireEndpoint(page),
      findDelivery(db, actor, id, seq),
      again === undefined ? undefined : findDelivery(db, actor, id, parsePathNumber(again)),
    ]);
    if (!delivery) throw notFound();
    return { endpoint, delivery, resent: resent?.replay_of === seq ? resent : undefined };
  },
  fields: () => z.object({ action: sentText }),
  render(page, { endpoint, delivery, resent }, form) {
    const { store, now } = page;
    const { id, name } = endpoint;
    return (
      <DeliveryPage
        dashboard={page.dashboard('webhooks')}
        webhook={{ name, href: webhookPaths.details(store.alias, id) }}
        delivery={toDeliveryView(delivery, now)}
        eventId={delivery.event_id}
        changed={delivery.changed}
        originalHref={
          delivery.replay_of === null
            ? undefined
            : webhookPaths.delivery(store.alias, id, delivery.replay_of)
        }
        resent={
          resent && {
            ...toDeliveryView(resent, now),
            href: webhookPaths.delivery(store.alias, id, resent.seq),
          }
        }
        attempts={delivery.attemptLog.map((attempt) => ({
          number: attempt.number,
          at: attempt.at,
          status: attempt.response_status,
          error: attempt.error,
          durationMs: attempt.duration_ms,
          responseHeaders: attempt.response_headers,
          responseBody: attempt.response_body,
        }))}
        body={delivery.body === null ? null : formatJson(delivery.body)}
        zone={store.zone}
        now={now}
        action={form.action}
        choice={actionFor(store, delivery)}
        canTry={includesRole(store.role, Role.manager)}
        flash={page.done(deliveryFlashes)}
        formToken={form.formToken}
      />
    );
  },
  submit(page, { action }) {
    if (action === 'tryNow') return tryWebhookNow(page);
    return action === 'sendNow' ? sendNow(page) : resend(page);
  },
});

/** Returns the action of a member: none for viewers, and none for a delivery before its first attempt. */
function actionFor(
  { role }: SignedInPage['store'],
  { state, isPending }: Pick<LoggedDeliveryDetails, 'state' | 'isPending'>,
): DeliveryAction | undefined {
  if (!includesRole(role, Role.manager)) return undefined;
  if (state === DeliveryState.held) return 'sendNow';
  return isPending ? undefined : 'resend';
}

/** Indents JSON; returns anything else unchanged. */
function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Sends a held delivery at once, and shows whether it has arrived. */
async function sendNow(page: SignedInPage) {
  const { db, actor, id } = openOwnWebhook(page);
  const showResult = (flash: (typeof deliveryFlashes)[number]) =>
    page.redirect(`${page.path}?done=${flash}`);
  try {
    const sent = await sendHeldDelivery(db, actor, { id, seq: page.id('seq') }, sendingOf(page));
    if (!sent) throw notFound();
    return showResult(sent.state === DeliveryState.delivered ? 'sent' : 'notSent');
  } catch (error) {
    // Another member has sent it, or its body is gone: the page shows it as it is.
    if (error instanceof HttpError && [409, 410].includes(error.status))
      return page.redirect(page.path);
    if (error instanceof ValidationError || (error instanceof HttpError && error.status === 403))
      return showResult('sendRefused');
    throw error;
  }
}

/**
 * Replays a delivery and shows how the new one does. If its body has been purged or it was never sent, redirects to its page,
 * which says so.
 */
async function resend(page: SignedInPage) {
  const { db, actor, id } = openOwnWebhook(page);
  const { alias } = page.store;
  try {
    const replay = await startReplay(db, actor, id, { seq: page.id('seq') });
    if (!replay) throw notFound();
    return page.redirect(withQueryParameter(page.path, 'again', String(replay.last_seq)));
  } catch (error) {
    if (error instanceof HttpError && [409, 410].includes(error.status))
      return page.redirect(page.path);
    // The app may not receive the event now; the page on resuming says so.
    if (error instanceof HttpError && error.status === 403)
      return page.redirect(webhookPaths.resume(alias, id));
    throw error;
  }
}

/** The results of sending a held delivery that the page can show. */
const deliveryFlashes = ['sent', 'notSent', 'sendRefused', 'trying', 'triedTooSoon'] as const;

type DeliveryFlash = (typeof deliveryFlashes)[number];

/** The actions of the form. */
type DeliveryAction = 'sendNow' | 'resend';

interface DeliveryPageProps {
  dashboard: DashboardProps;
  webhook: { name: string; href: string };
  delivery: DeliveryView;
  eventId: string;
  /** Names of the fields that an update changed, separated by commas. */
  changed: string | null;
  /** Link to the delivery that this one replays. */
  originalHref: string | undefined;
  /** The delivery that sends this one again, if the form has just started it. */
  resent: DeliveryListItem | undefined;
  attempts: readonly AttemptView[];
  /** The body, formatted for reading; `null` if it is no longer stored. */
  body: string | null;
  zone: string;
  /** Epoch milliseconds. */
  now: number;
  /** Address of the form. */
  action: string;
  formToken: string;
  /** The action that the reader may take: send a held delivery at once, or send a finished one again. */
  choice: DeliveryAction | undefined;
  /** Whether the reader may make the next attempt now. */
  canTry: boolean;
  flash: DeliveryFlash | undefined;
}

/** One delivery: its body, its attempts with their responses, and a form that sends it again. */
const DeliveryPage = ({ dashboard, webhook, delivery, ...props }: DeliveryPageProps) => {
  const { language } = dashboard.layout;
  const t = messagesFor(language).deliveries;
  const format = { language, zone: props.zone, now: props.now };
  const title = t.numbered.replace('{number}', String(delivery.seq));
  const { state, event, nextAttemptAt } = delivery;
  const choice = props.body === null ? undefined : props.choice;
  const isWaiting = props.canTry && waitsForAttempt(state) && nextAttemptAt !== 'soon';
  const isResentWaiting =
    props.canTry && !isWaiting && props.resent !== undefined && isTriedLater(props.resent);
  return (
    <DashboardLayout {...dashboard} title={title} scripts={[copyButtonScript]}>
      <p>
        <a class="target" href={webhook.href}>
          <span>
            <Interpolate text={t.back} parts={{ name: <UntrustedName name={webhook.name} /> }} />
          </span>
        </a>
      </p>
      <h1>{title}</h1>
      <FlashMessage
        text={props.flash && { ...t.flash, ...t.tried }[props.flash]}
        isProblem={props.flash !== 'sent' && props.flash !== 'trying'}
      />
      {props.resent && (
        <ResentDelivery {...{ format }} delivery={props.resent} canTry={isResentWaiting} />
      )}
      <dl class="facts">
        <dt>{t.event}</dt>
        <dd>
          {describeEvent(event, language)} {event !== null && <code>{event}</code>}
        </dd>
        {props.changed !== null && (
          <>
            <dt>{t.changed}</dt>
            <dd>
              <code>{props.changed.replaceAll(',', ', ')}</code>
            </dd>
          </>
        )}
        <dt>{t.state}</dt>
        <dd>
          <DeliveryStateText {...{ delivery }} {...format} />. {t.stateHints[state]}
          {isWaiting && (
            <>
              {' '}
              <TryNow {...{ language }} />
            </>
          )}
        </dd>
        {nextAttemptAt !== null && !waitsForAttempt(state) && (
          <>
            <dt>{t.nextAttempt}</dt>
            <dd>
              <NextAttemptText {...format} at={nextAttemptAt} />
            </dd>
          </>
        )}
        <dt>{t.at}</dt>
        <dd>
          <FormattedTime {...{ language }} zone={props.zone} at={delivery.createdAt} hasSeconds />
        </dd>
        {props.originalHref !== undefined && (
          <>
            <dt>{t.replayOf}</dt>
            <dd>
              <a class="target" href={props.originalHref}>
                {t.numbered.replace('{number}', String(delivery.replayOf))}
              </a>
            </dd>
          </>
        )}
        <dt>{t.eventId}</dt>
        <dd>
          <code>{props.eventId}</code>
        </dd>
      </dl>
      {(choice !== undefined || isWaiting || isResentWaiting) && (
        <form method="post" action={props.action} id={tryFormId}>
          <FormTokenInput formToken={props.formToken} />
          {choice !== undefined && (
            <>
              <p class="muted" id="choice-hint">
                {choice === 'sendNow' ? t.sendNowHint : t.resendHint}
              </p>
              <button name="action" value={choice} aria-describedby="choice-hint">
                {t[choice]}
              </button>
            </>
          )}
        </form>
      )}
      <h2>{t.attemptsTitle}</h2>
      <AttemptList attempts={props.attempts} {...{ language }} zone={props.zone} />
      <h2>{t.sent}</h2>
      {props.body === null ? <p>{t.bodyGone}</p> : <SentBody {...{ language }} body={props.body} />}
    </DashboardLayout>
  );
};

/** The sent message, to copy: folded, since most bodies are long. */
const SentBody = ({ language, body }: { language: Language; body: string }) => {
  const t = messagesFor(language).deliveries;
  const size = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'kilobyte',
  }).format(Math.ceil(new TextEncoder().encode(body).length / 1000));
  return (
    <details>
      <summary>{t.show.replace('{size}', size)}</summary>
      <CopyableCode {...{ language }} label="JSON" value={body} />
    </details>
  );
};

/** Whether a delivery waits for a later attempt. */
const isTriedLater = (
  delivery: DeliveryListItem,
): delivery is DeliveryListItem & { nextAttemptAt: number } =>
  waitsForAttempt(delivery.state) && typeof delivery.nextAttemptAt === 'number';

/** How the delivery does that was sent again: a reload shows its newest state. */
const ResentDelivery = ({
  delivery,
  format,
  canTry,
}: {
  delivery: DeliveryListItem;
  format: TimeFormat;
  canTry: boolean;
}) => {
  const { resentAs, resentLater, numbered, stateHints } = messagesFor(format.language).deliveries;
  const link = (
    <a class="target" href={delivery.href}>
      {numbered.replace('{number}', String(delivery.seq))}
    </a>
  );
  const { responseStatus: status, error, state } = delivery;
  const isAnswered = status !== null || error !== null;
  if (!isAnswered && isTriedLater(delivery)) {
    const when = <NextAttemptText {...format} at={delivery.nextAttemptAt} />;
    return (
      <p class="notice" role="status">
        <Interpolate text={resentLater} parts={{ delivery: link, when }} />{' '}
        {canTry && <TryNow language={format.language} />}
      </p>
    );
  }
  return (
    <p class="notice" role="status">
      <Interpolate
        text={resentAs}
        parts={{
          delivery: link,
          state: <DeliveryStateText {...{ delivery }} {...format} />,
          answer: isAnswered ? formatResult({ status, error }, format.language) : stateHints[state],
        }}
      />
    </p>
  );
};

/** One attempt of a delivery. */
interface AttemptView {
  number: number;
  /** Epoch milliseconds. */
  at: number;
  status: number | null;
  error: string | null;
  durationMs: number;
  responseHeaders: Readonly<Record<string, string>> | null;
  /** The beginning of the response body; `null` if none is stored. */
  responseBody: { text: string; encoding: 'utf-8' | 'base64'; truncated: boolean } | null;
}

interface Format {
  language: Language;
  zone: string;
}

/** The attempts of a delivery, each with its response. */
const AttemptList = ({ attempts, ...format }: Format & { attempts: readonly AttemptView[] }) => {
  const { deliveries: t } = messagesFor(format.language);
  if (attempts.length === 0) return <p>{t.noAttempts}</p>;
  return (
    <table>
      <caption>{t.attemptsCaption}</caption>
      <thead>
        <tr>
          <th scope="col">{t.attempt}</th>
          <th scope="col">{t.at}</th>
          <th scope="col">{t.duration}</th>
          <th scope="col">{t.response}</th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt) => (
          <tr>
            <th scope="row">
              <span class="in-card">{t.attempt} </span>
              {attempt.number}
            </th>
            <td data-label={t.at}>
              <FormattedTime {...format} at={attempt.at} hasSeconds />
            </td>
            <td data-label={t.duration}>
              {formatMilliseconds(attempt.durationMs, format.language)}
            </td>
            <td data-label={t.response}>
              {formatResult(attempt, format.language)}
              <ResponseDetails attempt={attempt} language={format.language} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const ResponseDetails = ({
  attempt: { responseHeaders, responseBody },
  language,
}: {
  attempt: AttemptView;
  language: Language;
}) => {
  const t = messagesFor(language).deliveries;
  if (responseBody === null && responseHeaders === null) return null;
  const lines = Object.entries(responseHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary>{t.responseStart}</summary>
      {lines.length > 0 && <pre aria-label={t.headers}>{lines.join('\n')}</pre>}
      {responseBody?.text === '' && <p>{t.emptyResponse}</p>}
      {responseBody && responseBody.text !== '' && <pre>{responseBody.text}</pre>}
      {responseBody?.encoding === 'base64' && <p class="muted">{t.binary}</p>}
      {responseBody?.truncated && <p class="muted">{t.truncated}</p>}
    </details>
  );
};
