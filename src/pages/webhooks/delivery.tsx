import * as z from 'zod';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { webhookPaths, withQueryParameter } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput, type FormProps } from '../../web/components/form-fields.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime, formatMilliseconds } from '../../web/components/time.tsx';
import { sentText } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { parsePathNumber, type SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import type { MerchantEndpoint } from '../../webhooks/endpoints/list-endpoints.ts';
import { sendHeldDelivery } from '../../webhooks/endpoints/send-held.ts';
import {
  findDelivery,
  type LoggedAttempt,
  type LoggedDeliveryDetails,
} from '../../webhooks/log/delivery-record.ts';
import type { LoggedDelivery } from '../../webhooks/log/list-deliveries.ts';
import { startReplay } from '../../webhooks/replay/start-replay.ts';
import { DeliveryStateText, waitsForAttempt } from './delivery-list.tsx';
import { openOwnWebhook, requireEndpoint, sendingOf } from './own-webhook.ts';
import { progressOf } from './views.ts';
import { tryWebhookNow } from './webhook-actions.tsx';
import {
  NextAttemptText,
  TryNow,
  describeEvent,
  formatResult,
  tryFormId,
  timeFormatOf,
} from './webhook-texts.tsx';

/**
 * `/account/webhooks/{alias}/{id}/deliveries/{seq}`: one delivery, its attempts and the body that
 * was sent. Its form sends a held delivery now, or another one again, or makes the next attempt of
 * its webhook now.
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
  render: (page, loaded, form) => <DeliveryPage {...{ page, form }} {...loaded} />,
  submit(page, { action }) {
    if (action === 'tryNow') return tryWebhookNow(page);
    return action === 'sendNow' ? sendNow(page) : resend(page);
  },
});

/**
 * Returns the action of a member: none for viewers, and none for a delivery before its first
 * attempt.
 */
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
 * Replays a delivery and shows how the new one does. If its body has been purged or it was never
 * sent, redirects to its page, which says so.
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

/** The actions of the form. */
type DeliveryAction = 'sendNow' | 'resend';

/** One delivery: its body, its attempts with their responses, and a form that sends it again. */
const DeliveryPage = ({
  page,
  endpoint,
  delivery,
  resent,
  form,
}: {
  page: SignedInPage;
  endpoint: MerchantEndpoint;
  delivery: LoggedDeliveryDetails;
  /** The delivery that sends this one again, if the form has just started it. */
  resent: LoggedDeliveryDetails | undefined;
  form: FormProps;
}) => {
  const { language, store, now } = page;
  const t = page.messages.deliveries;
  const { seq, event, changed, replay_of: original, body } = delivery;
  const title = t.numbered.replace('{number}', String(seq));
  const { state, nextAttemptAt } = progressOf(delivery, now);
  const choice = body === null ? undefined : actionFor(store, delivery);
  const canTry = includesRole(store.role, Role.manager);
  const isWaiting = canTry && waitsForAttempt(state) && nextAttemptAt !== 'soon';
  const isResentWaiting =
    canTry && !isWaiting && resent !== undefined && laterAttemptOf(resent, now) !== undefined;
  const flash = page.done(deliveryFlashes);
  return (
    <DashboardLayout {...page.dashboard('webhooks')} {...{ title }} scripts={[copyButtonScript]}>
      <p>
        <a class="target" href={webhookPaths.details(store.alias, endpoint.id)}>
          <span>
            <Interpolate text={t.back} parts={{ name: <UntrustedName name={endpoint.name} /> }} />
          </span>
        </a>
      </p>
      <h1>{title}</h1>
      <FlashMessage
        text={flash && { ...t.flash, ...t.tried }[flash]}
        isProblem={flash !== 'sent' && flash !== 'trying'}
      />
      {resent && <ResentDelivery {...{ page }} delivery={resent} canTry={isResentWaiting} />}
      <dl class="facts">
        <dt>{t.event}</dt>
        <dd>
          {describeEvent(event, language)} {event !== null && <code>{event}</code>}
        </dd>
        {changed !== null && (
          <>
            <dt>{t.changed}</dt>
            <dd>
              <code>{changed.replaceAll(',', ', ')}</code>
            </dd>
          </>
        )}
        <dt>{t.state}</dt>
        <dd>
          <DeliveryStateText {...{ page, delivery }} />. {t.stateHints[state]}
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
              <NextAttemptText {...timeFormatOf(page)} at={nextAttemptAt} />
            </dd>
          </>
        )}
        <dt>{t.at}</dt>
        <dd>
          <FormattedTime {...{ language }} zone={store.zone} at={delivery.created_at} hasSeconds />
        </dd>
        {original !== null && (
          <>
            <dt>{t.replayOf}</dt>
            <dd>
              <a class="target" href={webhookPaths.delivery(store.alias, endpoint.id, original)}>
                {t.numbered.replace('{number}', String(original))}
              </a>
            </dd>
          </>
        )}
        <dt>{t.eventId}</dt>
        <dd>
          <code>{delivery.event_id}</code>
        </dd>
      </dl>
      {(choice !== undefined || isWaiting || isResentWaiting) && (
        <form method="post" action={form.action} id={tryFormId}>
          <FormTokenInput formToken={form.formToken} />
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
      <AttemptList {...{ page }} attempts={delivery.attemptLog} />
      <h2>{t.sent}</h2>
      {body === null ? <p>{t.bodyGone}</p> : <SentBody {...{ language }} body={formatJson(body)} />}
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

/**
 * The time of the attempt that a delivery waits for; `undefined` for one that waits for none, or is
 * due.
 */
function laterAttemptOf(delivery: LoggedDelivery, now: number): number | undefined {
  const { state, nextAttemptAt } = progressOf(delivery, now);
  return waitsForAttempt(state) && typeof nextAttemptAt === 'number' ? nextAttemptAt : undefined;
}

/** How the delivery does that was sent again: a reload shows its newest state. */
const ResentDelivery = ({
  page,
  delivery,
  canTry,
}: {
  page: SignedInPage;
  delivery: LoggedDelivery;
  canTry: boolean;
}) => {
  const { language, messages, store, now } = page;
  const { resentAs, resentLater, numbered, stateHints } = messages.deliveries;
  const { seq, endpoint_id: id, response_status: status, error } = delivery;
  const link = (
    <a class="target" href={webhookPaths.delivery(store.alias, id, seq)}>
      {numbered.replace('{number}', String(seq))}
    </a>
  );
  const isAnswered = status !== null || error !== null;
  const at = laterAttemptOf(delivery, now);
  if (!isAnswered && at !== undefined) {
    const when = <NextAttemptText {...timeFormatOf(page)} {...{ at }} />;
    return (
      <p class="notice" role="status">
        <Interpolate text={resentLater} parts={{ delivery: link, when }} />{' '}
        {canTry && <TryNow {...{ language }} />}
      </p>
    );
  }
  return (
    <p class="notice" role="status">
      <Interpolate
        text={resentAs}
        parts={{
          delivery: link,
          state: <DeliveryStateText {...{ page, delivery }} />,
          answer: isAnswered
            ? formatResult({ status, error }, language)
            : stateHints[progressOf(delivery, now).state],
        }}
      />
    </p>
  );
};

/** The attempts of a delivery, each with its response. */
const AttemptList = ({
  page: { language, messages, store },
  attempts,
}: {
  page: SignedInPage;
  attempts: readonly LoggedAttempt[];
}) => {
  const { deliveries: t } = messages;
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
        {attempts.map(
          ({ number, at, duration_ms, response_status: status, error, ...response }) => (
            <tr>
              <th scope="row">
                <span class="in-card">{t.attempt} </span>
                {number}
              </th>
              <td data-label={t.at}>
                <FormattedTime {...{ language, at }} zone={store.zone} hasSeconds />
              </td>
              <td data-label={t.duration}>{formatMilliseconds(duration_ms, language)}</td>
              <td data-label={t.response}>
                {formatResult({ status, error }, language)}
                <ResponseDetails {...response} {...{ language }} />
              </td>
            </tr>
          ),
        )}
      </tbody>
    </table>
  );
};

const ResponseDetails = ({
  response_headers: headers,
  response_body: body,
  language,
}: Pick<LoggedAttempt, 'response_headers' | 'response_body'> & { language: Language }) => {
  const t = messagesFor(language).deliveries;
  if (body === null && headers === null) return null;
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`);
  return (
    <details>
      <summary>{t.responseStart}</summary>
      {lines.length > 0 && <pre aria-label={t.headers}>{lines.join('\n')}</pre>}
      {body?.text === '' && <p>{t.emptyResponse}</p>}
      {body && body.text !== '' && <pre>{body.text}</pre>}
      {body?.encoding === 'base64' && <p class="muted">{t.binary}</p>}
      {body?.truncated && <p class="muted">{t.truncated}</p>}
    </details>
  );
};
