import { AttemptList, type ShownAttempt } from './attempt-list.tsx';
import type { ShownDelivery } from './delivery-list.tsx';
import { eventMeaning } from './event-meaning.ts';
import { Fill } from './fill.tsx';
import { Ticket } from './form-fields.tsx';
import { GivenName } from './given-name.tsx';
import { MomentText } from './moment-text.tsx';
import { NextAttemptText } from './next-attempt.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

export interface DeliveryProps {
  panel: PanelProps;
  webhook: { name: string; href: string };
  delivery: ShownDelivery;
  eventId: string;
  /** Where the delivery is that this one sends again. */
  replayedHref: string | undefined;
  attempts: readonly ShownAttempt[];
  /** What was sent, for reading; `null` once it is kept no longer. */
  body: string | null;
  zone: string;
  /** Where the form goes that sends it again. */
  action: string;
  ticket: string;
}

/** One delivery: what was sent, each attempt with its answer, and a way to send it again. */
export const DeliveryPage = ({ panel, webhook, delivery, ...props }: DeliveryProps) => {
  const { language } = panel.frame;
  const said = wordsOf(language).deliveries;
  const format = { language, zone: props.zone };
  const title = said.numbered.replace('{number}', String(delivery.seq));
  const { state, event, nextAt } = delivery;
  return (
    <Panel {...panel} title={title}>
      <p>
        <a class="target" href={webhook.href}>
          <span>
            <Fill text={said.back} parts={{ name: <GivenName name={webhook.name} /> }} />
          </span>
        </a>
      </p>
      <h1>{title}</h1>
      <dl class="facts">
        <dt>{said.event}</dt>
        <dd>
          {eventMeaning(event, language)} {event !== null && <code>{event}</code>}
        </dd>
        <dt>{said.state}</dt>
        <dd>
          <span class={`state ${state}`}>{said.states[state]}</span>. {said.stateHints[state]}
        </dd>
        {nextAt !== null && (
          <>
            <dt>{said.nextAttempt}</dt>
            <dd>
              <NextAttemptText {...format} at={nextAt} />
            </dd>
          </>
        )}
        <dt>{said.at}</dt>
        <dd>
          <MomentText {...format} at={delivery.at} />
        </dd>
        {props.replayedHref !== undefined && (
          <>
            <dt>{said.replayOf}</dt>
            <dd>
              <a class="target" href={props.replayedHref}>
                {said.numbered.replace('{number}', String(delivery.replayOf))}
              </a>
            </dd>
          </>
        )}
        <dt>{said.eventId}</dt>
        <dd>
          <code>{props.eventId}</code>
        </dd>
      </dl>
      {props.body !== null && (
        <form method="post" action={props.action}>
          <Ticket ticket={props.ticket} />
          <p class="muted" id="resend">
            {said.resendHint}
          </p>
          <button aria-describedby="resend">{said.resend}</button>
        </form>
      )}
      <h2>{said.tries}</h2>
      <AttemptList attempts={props.attempts} {...format} />
      <h2>{said.sent}</h2>
      {props.body === null ? (
        <p>{said.bodyGone}</p>
      ) : (
        <figure class="code">
          <p class="muted">{said.sentHint}</p>
          <pre>
            <code>{props.body}</code>
          </pre>
        </figure>
      )}
    </Panel>
  );
};
