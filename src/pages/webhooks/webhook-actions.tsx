import * as z from 'zod';
import { hourMs } from '../../base/durations.ts';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { browserPaths, webhookPaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { findMissingScopes } from '../../data/grants/grant-conditions.ts';
import { listConnections } from '../../data/grants/grant-queries.ts';
import { EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { sentText } from '../../web/forms/form-values.ts';
import { confirmation, type Refusal, userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { deleteEndpoint } from '../../webhooks/endpoints/delete-endpoint.ts';
import { AppDisconnectedError } from '../../webhooks/endpoints/endpoint-consent.ts';
import type { MerchantEndpoint } from '../../webhooks/endpoints/list-endpoints.ts';
import { PingFailedError, pingEndpoint } from '../../webhooks/endpoints/ping.ts';
import { resumeEndpoint, type ReleaseRange } from '../../webhooks/endpoints/resume-endpoint.ts';
import { pauseStatements, updateEndpoint } from '../../webhooks/endpoints/update-endpoint.ts';
import { loadDeliveryStats, statsSampleSize } from '../../webhooks/log/stats.ts';
import {
  isPingThrottled,
  loadEndpointAppNames,
  openOwnWebhook,
  requireEndpoint,
  sendingOf,
} from './own-webhook.ts';
import { formatResult, type RequestResult } from './webhook-texts.tsx';

const [alias, id] = [':alias', ':id'];

/** A form that may send a request to a receiver. Viewers do not see it. */
const ofManager = { role: Role.manager, limit: 'webhooks', part: 'webhooks' } as const;

const detailsOf = (page: SignedInPage) => webhookPaths.details(page.store.alias, page.param('id'));

/**
 * `/account/webhooks/{alias}/{id}/delete`: deletes a webhook and cancels its unsent deliveries, in
 * one batch.
 */
export const webhookRemovalForm = confirmation({
  ...ofManager,
  proof: true,
  path: webhookPaths.delete(alias, id),
  load: requireEndpoint,
  ask(page, { name }) {
    const t = page.messages.webhookForms.remove;
    return {
      title: t.title,
      question: <Interpolate text={t.question} parts={{ name: <UntrustedName name={name} /> }} />,
      paragraphs: [t.consequence, t.instead],
      submit: t.submit,
      back: detailsOf(page),
    };
  },
  async submit(page) {
    const webhook = openOwnWebhook(page);
    if (!(await deleteEndpoint(webhook.db, webhook.actor, webhook.id))) throw notFound();
    return page.redirect(`${browserPaths.webhooks}?done=deleted`);
  },
});

/**
 * Pauses a webhook and holds its open deliveries, in one batch. A webhook that is paused stays so.
 */
export async function pauseWebhook(page: SignedInPage) {
  const { db, actor, id: endpointId } = openOwnWebhook(page);
  const statements = pauseStatements(db, actor, endpointId);
  if (!(await updateEndpoint(db, actor, endpointId, {}, statements))) throw notFound();
  return page.redirect(`${detailsOf(page)}?done=paused`);
}

/**
 * Makes the next attempt of a webhook now, and redirects to the page of the form, which says so.
 */
export async function tryWebhookNow(page: SignedInPage) {
  const { db, actor, id: endpointId } = openOwnWebhook(page);
  try {
    const isFound = await resumeEndpoint(
      db,
      actor,
      endpointId,
      { action: 'resumed', isTrial: true },
      sendingOf(page),
    );
    // Another member has paused it: the page shows it as it is.
    return page.redirect(isFound ? `${page.path}?done=trying` : page.path);
  } catch (error) {
    if (isPingThrottled(error)) return page.redirect(`${page.path}?done=triedTooSoon`);
    throw error;
  }
}

/** The result of a ping, or the reason why none was sent. */
export type PingOutcome = RequestResult | 'urlRefused' | 'tooSoon';

/** The result of the ping that the form has just sent, and its webhook. */
export const shownPing = new ShownOnce<{ id: number; result: RequestResult }>(
  'ping',
  'ping-result',
);

/**
 * Sends a ping and redirects to the page, which shows its result. 429 within ten seconds of the
 * store's last.
 */
export async function pingWebhook(page: SignedInPage): Promise<Response | Refusal<PingOutcome>> {
  const webhook = openOwnWebhook(page);
  try {
    const response = await pingEndpoint(webhook.db, webhook.actor, webhook.id, sendingOf(page));
    if (!response) throw notFound();
    const { status, error } = response;
    await shownPing.stash(page, { id: webhook.id, result: { status, error } });
    return page.redirect(`${detailsOf(page)}?done=pinged`);
  } catch (error) {
    if (error instanceof ValidationError) return { note: 'urlRefused' };
    if (isPingThrottled(error)) return { note: 'tooSoon', status: 429, headers: error.headers };
    throw error;
  }
}

/** The held deliveries to send. */
const resumeChoices = ['72h', 'all', 'none'] as const;

const recentMs = 72 * hourMs;

const toRelease = (chosen: (typeof resumeChoices)[number], now: number): ReleaseRange =>
  chosen === '72h' ? { since: now - recentMs } : chosen;

/** The app of a webhook that is not active, if it may not receive all its events now. */
export async function findRefusedApp(page: SignedInPage, endpoint: MerchantEndpoint) {
  const { clientId, events, status } = endpoint;
  if (clientId === null || status === EndpointStatus.active) return undefined;
  const connections = await listConnections(page.env, [page.store], page.now);
  const granted = connections.find((connection) => connection.clientId === clientId)?.scopes;
  const isConnected = granted !== undefined;
  if (isConnected && findMissingScopes(events, [granted]).length === 0) return undefined;
  const names = await loadEndpointAppNames(page, [endpoint]);
  return { name: names.get(clientId)?.name ?? clientId, isConnected };
}

export type RefusedApp = NonNullable<Awaited<ReturnType<typeof findRefusedApp>>>;

/** Says why the webhook of an app cannot be resumed. */
export const ResumeRefusal = ({
  app: { name, isConnected },
  language,
}: {
  app: RefusedApp;
  language: Language;
}) => {
  const t = messagesFor(language).webhooks.resume;
  const parts = { app: <UntrustedName name={name} /> };
  return (
    <p class="notice danger" role="alert">
      <Interpolate text={t[isConnected ? 'appNotAllowed' : 'appDisconnected']} parts={parts} />
    </p>
  );
};

/**
 * Loads a webhook that is not active: its held deliveries, and its app if that may not receive all
 * events now.
 */
async function loadPaused(page: SignedInPage) {
  const { db, actor, id: endpointId } = openOwnWebhook(page);
  const endpoint = await requireEndpoint(page);
  if (endpoint.status === EndpointStatus.active) return page.redirect(detailsOf(page));
  const [stats, refusedApp] = await Promise.all([
    loadDeliveryStats(db, actor, endpointId),
    findRefusedApp(page, endpoint),
  ]);
  return { endpoint, stats, refusedApp };
}

/**
 * `/account/webhooks/{alias}/{id}/resume`: resumes a webhook and releases the chosen held
 * deliveries. A webhook that was disabled automatically must first answer a ping. Status 422 when
 * the ping fails, the app may not receive all events, or the URL is not allowed. Status 429 within
 * ten seconds of the store's last ping.
 */
export const resumeForm = userForm({
  ...ofManager,
  path: webhookPaths.resume(alias, id),
  // Data go there again.
  proof: true,
  load: loadPaused,
  fields: () => z.object({ resume: sentText }),
  view(page, { endpoint, stats, refusedApp }) {
    const { messages, language } = page;
    const t = messages.webhooks.resume;
    const name = <UntrustedName name={endpoint.name} />;
    const heading = <Interpolate text={t.question} parts={{ name }} />;
    if (refusedApp) {
      return {
        title: t.title,
        heading,
        intro: <ResumeRefusal app={refusedApp} language={language} />,
        back: { href: detailsOf(page), text: messages.webhooks.resume.back },
      };
    }
    const requiresPing = endpoint.status === EndpointStatus.autoDisabled;
    const host = <code>{new URL(endpoint.url).host}</code>;
    const mayBeMore = stats?.sampled === statsSampleSize;
    const count = (stats?.states.held ?? 0).toLocaleString(language);
    return {
      title: t.title,
      heading,
      paragraphs: [
        ...(requiresPing ? [<Interpolate text={t.pinged} parts={{ host }} />] : []),
        t[mayBeMore ? 'heldMany' : 'held'].replace('{count}', count),
      ],
      fields: [
        {
          name: 'resume',
          label: t.choose,
          type: 'radio',
          options: resumeChoices.map((value) => ({ value, text: t.choices[value] })),
          value: requiresPing ? '72h' : 'all',
        },
      ],
      note: t.pace,
      submit: t.submit,
      back: detailsOf(page),
    };
  },
  async submit(page, { resume }) {
    const { db, actor, id: endpointId } = openOwnWebhook(page);
    const { errors: t } = page.messages.webhooks.resume;
    const chosen = resumeChoices.find((choice) => choice === resume);
    // Another member has resumed it, and chosen what is sent.
    if ((await requireEndpoint(page)).status === EndpointStatus.active) {
      return page.redirect(detailsOf(page));
    }
    if (!chosen) return { errors: [{ field: 'resume', text: t.notChosen }] };
    const request = { release: toRelease(chosen, page.now), action: 'resumed' } as const;
    try {
      const isFound = await resumeEndpoint(db, actor, endpointId, request, sendingOf(page));
      if (!isFound) throw notFound();
    } catch (error) {
      if (error instanceof PingFailedError) {
        const answer = formatResult(error.response, page.language);
        return { errors: [{ text: t.unanswered.replace('{answer}', () => answer) }] };
      }
      const isForbidden = error instanceof HttpError && error.status === 403;
      // The page shows the reason.
      if (isForbidden || error instanceof AppDisconnectedError) return {};
      if (error instanceof ValidationError) return { errors: [{ text: t.urlRefused }] };
      if (isPingThrottled(error)) {
        return { errors: [{ text: t.tooSoon }], status: 429, headers: error.headers };
      }
      throw error;
    }
    return page.redirect(`${detailsOf(page)}?done=resumed`);
  },
});
