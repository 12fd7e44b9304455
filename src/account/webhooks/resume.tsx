import type { Context } from 'hono';
import { findMissingScope } from '../../db/grants/may-hear.ts';
import { listConnections } from '../../db/grants/queries.ts';
import { EndpointStatus } from '../../db/schema/store/webhooks.ts';
import { HttpError, ValidationError, notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import {
  ResumePage,
  type ResumeError,
  resumeChoices,
  type ResumeChoice,
} from '../../pages/webhooks/resume-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { AppDisconnectedError } from '../../webhooks/endpoints/consent.ts';
import { PingFailedError } from '../../webhooks/endpoints/ping.ts';
import { resumeEndpoint, type ReleaseRange } from '../../webhooks/endpoints/resume.ts';
import { loadDeliveryStats, statsSampleSize } from '../../webhooks/log/stats.ts';
import { webhookPaths } from '../paths.ts';
import { loadEndpointAppNames, requireEndpoint, openOwnWebhook } from './own-webhook.ts';
import { isPingThrottled, pingThrottledInit } from './ping.tsx';

/** Asks which held deliveries to send. Shows the form again with status 422 when the webhook cannot be resumed. */
export async function showResume(
  c: Context<AppEnv>,
  context: PageContext,
  fault?: ResumeError,
  response: Parameters<typeof renderPage>[2] = { status: fault ? 422 : 200 },
) {
  const webhook = openOwnWebhook(c, context);
  const { store, db, actor, id } = webhook;
  const [endpoint, stats, connections] = await Promise.all([
    requireEndpoint(c, webhook),
    loadDeliveryStats(db, actor, id),
    listConnections(c.env, [store], context.now),
  ]);
  const back = webhookPaths.details(store.alias, id);
  if (endpoint.status === EndpointStatus.active) return c.redirect(back, 303);
  const action = webhookPaths.resume(store.alias, id);
  const { clientId } = endpoint;
  const granted = connections.find((connection) => connection.clientId === clientId)?.scopes;
  const isRefused =
    fault?.kind === 'appRefused' ||
    (clientId !== null &&
      (granted === undefined || findMissingScope(endpoint.events, [granted]) !== undefined));
  const appNames = isRefused ? await loadEndpointAppNames(c, [endpoint]) : undefined;
  const isDisabled = endpoint.status === EndpointStatus.autoDisabled;
  const page = (
    <ResumePage
      {...{ action, back, error: fault }}
      dashboard={buildDashboardLayoutProps(c, context, 'webhooks', action)}
      name={endpoint.name}
      host={new URL(endpoint.url).host}
      refusedApp={
        isRefused
          ? {
              name: appNames?.get(clientId ?? '')?.name ?? clientId ?? '',
              isConnected: granted !== undefined,
            }
          : undefined
      }
      held={stats?.states.held ?? 0}
      mayBeMore={stats?.sampled === statsSampleSize}
      requiresPing={isDisabled}
      chosen={isDisabled ? '72h' : 'all'}
      formToken={await sealFormToken(c, context, action)}
    />
  );
  return renderPage(c, page, response);
}

const defaultReplayMs = 72 * 3_600_000;

/**
 * Resumes a webhook and releases the chosen held deliveries. A webhook that was disabled automatically must first
 * answer a ping. Status 422 when the ping fails, the app may not hear all events, or the URL is not allowed. Status 429 within
 * ten seconds of the store's last ping.
 */
export async function submitResume(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { store, db, actor, id } = openOwnWebhook(c, context);
  const chosen = resumeChoices.find((choice) => choice === form.get('resume'));
  if (!chosen) return showResume(c, context, { kind: 'notChosen' });
  const request = { release: toRelease(chosen, context.now), action: 'resumed' } as const;
  const pingContext = { settings: settingsOf(c.env), deps: defaultDeliveryDeps };
  try {
    if (!(await resumeEndpoint(db, actor, id, request, pingContext))) throw notFound();
  } catch (error) {
    if (error instanceof PingFailedError) {
      return showResume(c, context, { kind: 'unanswered', ...error.response });
    }
    const isForbidden = error instanceof HttpError && error.status === 403;
    if (isForbidden || error instanceof AppDisconnectedError)
      return showResume(c, context, { kind: 'appRefused' });
    if (error instanceof ValidationError) return showResume(c, context, { kind: 'urlRefused' });
    if (isPingThrottled(error))
      return showResume(c, context, { kind: 'tooSoon' }, pingThrottledInit(error));
    throw error;
  }
  return c.redirect(`${webhookPaths.details(store.alias, id)}?done=resumed`, 303);
}

const toRelease = (chosen: ResumeChoice, now: number): ReleaseRange =>
  chosen === '72h' ? { since: now - defaultReplayMs } : chosen;
