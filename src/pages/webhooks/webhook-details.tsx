import type { Language } from '../../base/languages.ts';
import { Address, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { FormattedTime, RelativeTime } from '../../web/components/time.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messageOrOther, messagesFor } from '../../web/texts/messages.ts';
import {
  NextAttemptText,
  TryNow,
  describeEvent,
  type NextAttempt,
  type TimeFormat,
} from './webhook-texts.tsx';

type WebhookStateName = keyof Messages['webhooks']['states'];

/** An app, a program by the name of its API key, or a person. */
interface WebhookCreator {
  kind: 'app' | 'api_key' | 'user';
  name: string;
  /** Link to what a person or program did in the store. */
  href?: string | undefined;
}

/** A webhook of the user. Times are epoch milliseconds. */
export interface WebhookView {
  name: string;
  /** Host of the URL. */
  host: string;
  /** The whole URL, for those who may edit it: it may hold a secret. */
  url: string | undefined;
  events: readonly string[];
  ordered: boolean;
  /** Another webhook that gets the same events at the same address. */
  duplicate: { name: string; href: string } | undefined;
  state: WebhookStateName;
  lastSuccessAt: number | null;
  failingSince: number | null;
  nextAttemptAt: NextAttempt | null;
  /** The one who created it; `null` when that is not known any more. */
  creator: WebhookCreator | null;
  /** The change of its secret that is under way, and when its present step ends. */
  rotation: { state: 'overlap' | 'committed'; until: number } | undefined;
  createdAt: number;
  /** How many deliveries each part of the last 24 hours brought. */
  recent: readonly number[];
  /** The notices to the owner, newest first. */
  notices: readonly { kind: string; at: number }[];
}

export const webhookTones: Readonly<Record<WebhookStateName, Tone>> = {
  active: 'good',
  failing: 'warn',
  paused: 'neutral',
  disabled: 'danger',
  gone: 'danger',
};

/** State, health, receiver and events of a webhook. */
export const WebhookDetails = ({
  webhook,
  canTry = false,
  ...format
}: TimeFormat & {
  webhook: WebhookView;
  /** Whether the reader may make the next attempt now, with the form of the page. */
  canTry?: boolean;
}) => {
  const { language, zone } = format;
  const t = messagesFor(language).webhooks;
  const { state, failingSince, lastSuccessAt, nextAttemptAt } = webhook;
  return (
    <>
      {webhook.duplicate && (
        <p class="notice danger">
          <Interpolate
            text={t.duplicate}
            parts={{
              webhook: (
                <a href={webhook.duplicate.href}>
                  <UntrustedName name={webhook.duplicate.name} />
                </a>
              ),
            }}
          />
        </p>
      )}
      <dl class="facts">
        <dt>{t.state}</dt>
        <dd>
          <StateBadge tone={webhookTones[state]} text={t.states[state]} />. {t.stateHints[state]}
        </dd>
        {failingSince !== null && (
          <>
            <dt>{t.failingSince}</dt>
            <dd>
              <RelativeTime {...format} at={failingSince} />
            </dd>
          </>
        )}
        <dt>{t.lastSuccess}</dt>
        <dd>
          {lastSuccessAt === null ? t.never : <RelativeTime {...format} at={lastSuccessAt} />}
        </dd>
        {nextAttemptAt !== null && (
          <>
            <dt>{t.nextAttempt}</dt>
            <dd>
              <NextAttemptText {...format} at={nextAttemptAt} />
              {canTry && nextAttemptAt !== 'soon' && (
                <>
                  {' '}
                  <TryNow {...{ language }} />
                </>
              )}
            </dd>
          </>
        )}
        <dt>{t.host}</dt>
        <dd>
          <Address url={webhook.url ?? webhook.host} />
        </dd>
        <dt>{t.events}</dt>
        <dd>{webhook.events.map((event) => describeEvent(event, language)).join(' · ')}</dd>
        {webhook.ordered && (
          <>
            <dt>{t.order}</dt>
            <dd>{t.ordered}</dd>
          </>
        )}
        <dt>{t.madeBy}</dt>
        <dd>
          <Creator creator={webhook.creator} {...{ language }} />
        </dd>
        <dt>{t.created}</dt>
        <dd>
          <FormattedTime {...{ language, zone }} at={webhook.createdAt} />
        </dd>
      </dl>
    </>
  );
};

const Creator = ({
  creator,
  language,
}: {
  creator: WebhookView['creator'];
  language: Language;
}) => {
  const t = messagesFor(language).webhooks;
  if (creator === null) return <>{t.unknownCreator}</>;
  const name = <UntrustedName name={creator.name} />;
  const text = creator.kind === 'api_key' ? <Interpolate text={t.ownKey} parts={{ name }} /> : name;
  return creator.href === undefined ? (
    text
  ) : (
    <a class="target" href={creator.href}>
      <span>{text}</span>
    </a>
  );
};

/** The notices about a webhook, newest first. */
export const WebhookNoticeList = ({
  webhook: { state, notices },
  ...format
}: TimeFormat & { webhook: Pick<WebhookView, 'state' | 'notices'> }) => {
  const { noticeKinds: kinds, noNotices, noNoticesFailing } = messagesFor(format.language).webhooks;
  if (notices.length === 0) return <p>{state === 'failing' ? noNoticesFailing : noNotices}</p>;
  return (
    <ul class="stores measure">
      {notices.map(({ kind, at }) => (
        <li>
          {messageOrOther(kinds, kind)}{' '}
          <span class="muted">
            <RelativeTime {...format} at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
};
