import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput } from '../../web/components/form-fields.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import { AttemptList, type AttemptView } from './attempt-list.tsx';
import { DeliveryStateText, type DeliveryView } from './delivery-list.tsx';
import { NextAttemptText, describeEvent } from './webhook-texts.tsx';

/** The results of sending a held delivery that the page can show. */
export const deliveryFlashes = ['sent', 'notSent', 'sendRefused'] as const;

type DeliveryFlash = (typeof deliveryFlashes)[number];

/** The actions of the form. */
export type DeliveryAction = 'sendNow' | 'resend';

interface DeliveryPageProps {
  dashboard: DashboardProps;
  webhook: { name: string; href: string };
  delivery: DeliveryView;
  eventId: string;
  /** Link to the delivery that this one replays. */
  originalHref: string | undefined;
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
  flash: DeliveryFlash | undefined;
}

/** One delivery: its body, its attempts with their responses, and a form that sends it again. */
export const DeliveryPage = ({ dashboard, webhook, delivery, ...props }: DeliveryPageProps) => {
  const { language } = dashboard.layout;
  const t = messagesFor(language).deliveries;
  const format = { language, zone: props.zone, now: props.now };
  const title = t.numbered.replace('{number}', String(delivery.seq));
  const { state, event, nextAttemptAt } = delivery;
  return (
    <DashboardLayout {...dashboard} title={title}>
      <p>
        <a class="target" href={webhook.href}>
          <span>
            <Interpolate text={t.back} parts={{ name: <UntrustedName name={webhook.name} /> }} />
          </span>
        </a>
      </p>
      <h1>{title}</h1>
      <FlashMessage text={props.flash && t.flash[props.flash]} isProblem={props.flash !== 'sent'} />
      <dl class="facts">
        <dt>{t.event}</dt>
        <dd>
          {describeEvent(event, language)} {event !== null && <code>{event}</code>}
        </dd>
        <dt>{t.state}</dt>
        <dd>
          <DeliveryStateText {...{ delivery }} {...format} />. {t.stateHints[state]}
        </dd>
        {nextAttemptAt !== null && state !== 'retrying' && (
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
      {props.body !== null && props.choice !== undefined && (
        <form method="post" action={props.action}>
          <FormTokenInput formToken={props.formToken} />
          <p class="muted" id="choice-hint">
            {props.choice === 'sendNow' ? t.sendNowHint : t.resendHint}
          </p>
          <button name="action" value={props.choice} aria-describedby="choice-hint">
            {t[props.choice]}
          </button>
        </form>
      )}
      <h2>{t.attemptsTitle}</h2>
      <AttemptList attempts={props.attempts} {...{ language }} zone={props.zone} />
      <h2>{t.sent}</h2>
      {props.body === null ? (
        <p>{t.bodyGone}</p>
      ) : (
        <figure class="code">
          <p class="muted">{t.sentHint}</p>
          <pre>
            <code>{props.body}</code>
          </pre>
        </figure>
      )}
    </DashboardLayout>
  );
};
