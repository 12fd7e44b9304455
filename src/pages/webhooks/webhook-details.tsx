import { storePaths, webhookPaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import type { AppIdentity } from '../../data/directory/apps.ts';
import { Address, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import { FormattedTime, RelativeTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messageOrOther } from '../../web/texts/messages.ts';
import { endpointStateOf } from '../../webhooks/endpoints/endpoint-state.ts';
import type { MerchantEndpoint } from '../../webhooks/endpoints/list-endpoints.ts';
import { nextAttemptOf } from './views.ts';
import { NextAttemptText, TryNow, describeEvent, timeFormatOf } from './webhook-texts.tsx';

/** The apps that created webhooks, by client id. */
type AppNames = ReadonlyMap<string, AppIdentity>;

type WebhookStateName = keyof Messages['webhooks']['states'];

export const webhookTones: Readonly<Record<WebhookStateName, Tone>> = {
  active: 'good',
  failing: 'warn',
  paused: 'neutral',
  disabled: 'danger',
  gone: 'danger',
};

/** State, health, receiver and events of a webhook. */
export const WebhookDetails = ({
  page,
  endpoint,
  apps,
  canTry,
}: {
  page: SignedInPage;
  endpoint: MerchantEndpoint;
  apps: AppNames;
  /** Whether the reader may make the next attempt now, with the form of the page. */
  canTry: boolean;
}) => {
  const { language, messages, store } = page;
  const format = timeFormatOf(page);
  const t = messages.webhooks;
  const { duplicate, url, failingSince, lastSuccessAt } = endpoint;
  const state = endpointStateOf(endpoint);
  const nextAttemptAt = nextAttemptOf(endpoint, page.now);
  // The whole URL is for those who may edit it: it may hold a secret.
  const address = includesRole(store.role, Role.manager) ? url : new URL(url).host;
  return (
    <>
      {duplicate && (
        <p class="notice danger">
          <Interpolate
            text={t.duplicate}
            parts={{
              webhook: (
                <a href={webhookPaths.details(store.alias, duplicate.id)}>
                  <UntrustedName name={duplicate.name} />
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
          <Address url={address} />
        </dd>
        <dt>{t.events}</dt>
        <dd>{endpoint.events.map((event) => describeEvent(event, language)).join(' · ')}</dd>
        {endpoint.ordered && (
          <>
            <dt>{t.order}</dt>
            <dd>{t.ordered}</dd>
          </>
        )}
        <dt>{t.madeBy}</dt>
        <dd>
          <Creator {...{ page, endpoint, apps }} />
        </dd>
        <dt>{t.created}</dt>
        <dd>
          <FormattedTime {...{ language }} zone={store.zone} at={endpoint.createdAt} />
        </dd>
      </dl>
    </>
  );
};

/**
 * Who created it: the app, the API key by its name, or the person, with a link to their activity in
 * the store.
 */
const Creator = ({
  page: { messages, store },
  endpoint: { clientId, creator },
  apps,
}: {
  page: SignedInPage;
  endpoint: MerchantEndpoint;
  apps: AppNames;
}) => {
  const t = messages.webhooks;
  if (clientId !== null) return <UntrustedName name={apps.get(clientId)?.name ?? clientId} />;
  if (creator === null) return <>{t.unknownCreator}</>;
  const { kind, id } = creator;
  // The activity of a store names no operators.
  const isService = kind === 'operator' || kind === 'system';
  const name = <UntrustedName name={isService ? messages.activity.service : creator.name} />;
  const query = new URLSearchParams({ actor_kind: kind, actor_id: id }).toString();
  return (
    <a class="target" href={`${storePaths.activity(store.alias)}?${query}`}>
      <span>{kind === 'api_key' ? <Interpolate text={t.ownKey} parts={{ name }} /> : name}</span>
    </a>
  );
};

/** The notices about a webhook, newest first. */
export const WebhookNoticeList = ({
  page,
  endpoint,
}: {
  page: SignedInPage;
  endpoint: MerchantEndpoint;
}) => {
  const { noticeKinds: kinds, noNotices, noNoticesFailing } = page.messages.webhooks;
  const { notices } = endpoint;
  if (notices.length === 0)
    return <p>{endpointStateOf(endpoint) === 'failing' ? noNoticesFailing : noNotices}</p>;
  return (
    <ul class="stores measure">
      {notices.map(({ kind, at }) => (
        <li>
          {messageOrOther(kinds, kind)}{' '}
          <span class="muted">
            <RelativeTime {...timeFormatOf(page)} at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
};
