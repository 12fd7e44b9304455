import { sql } from 'drizzle-orm';
import { seal } from '../../base/crypto/seal.ts';
import { dayMs } from '../../base/durations.ts';
import { notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import {
  appSecretContext,
  nextTime,
  type AppWebhook,
} from '../../data/directory/app-webhook-secrets.ts';
import { appDeliveries, appWebhooks } from '../../data/schema/directory/partners-tables.ts';
import { SecretMode } from '../../data/schema/store/webhooks-tables.ts';
import { wakeMail } from '../../mail/outbox.ts';
import { createSecret } from '../../webhooks/signature.ts';
import { appLine, appMail, managesApp } from './manage-apps.ts';

/**
 * How long the old secret of a rotation stays the main one, and then valid, in milliseconds each.
 */
const overlapMs = dayMs;

/**
 * Gives an app its webhook, or the webhook another URL, and switches it on again. The partner and
 * the team get a mail about another URL. Returns the signing secret of a new webhook, which is
 * never shown again; `undefined` for one that exists. The caller has checked the URL. Throws a 404
 * for an app that the user does not manage. One batch.
 */
export async function setAppWebhook(
  action: ActionContext,
  { clientId, name, url }: { clientId: string; name: string; url: string },
): Promise<string | undefined> {
  const { directory, settings, now } = action;
  const secret = createSecret();
  const sealed = await seal(settings.sealingKeys, secret, appSecretContext(clientId));
  const isMine = managesApp(action, clientId);
  const hasUrl = sql`exists (select 1 from ${appWebhooks} where client_id = ${clientId} and url = ${url})`;
  const isActive = sql`exists (select 1 from ${appWebhooks}
    where client_id = ${clientId} and url = ${url} and active = 1)`;
  const line = appLine(action, 'app.webhook_set', clientId, { url: [null, 'changed'] });
  const data = { app: name, change: 'address', host: new URL(url).host } as const;
  const [, , [saved]] = await directory.batch([
    auditStatement(directory, line, sql`${isMine} and not ${isActive}`),
    await appMail(action, clientId, data, sql`${isMine} and not ${hasUrl}`),
    // A run of the old URL loses its lease, so its result says nothing about the new one.
    rawDatabaseStatement<{ secret_current: string }>(
      directory,
      sql`insert into ${appWebhooks} (client_id, url, secret_current, created_at, updated_at)
          select ${clientId}, ${url}, ${sealed}, ${now}, ${now} where ${isMine}
          on conflict (client_id) do update set url = excluded.url, active = 1, failures = 0, failing_since = null,
            proven_at = iif(url = excluded.url, proven_at, null), leased_until = 0,
            next_at = ${nextTime(clientId, now)}, updated_at = ${now}
          returning secret_current`,
    ),
  ]);
  action.defer(wakeMail(action.env));
  if (!saved) throw notFound();
  return saved.secret_current === sealed ? secret : undefined;
}

/** When a rotation of secrets ends; `undefined` without a rotation. */
export function rotationEnd(
  webhook: Pick<AppWebhook, 'secret_previous_until' | 'secret_overlap_ms'>,
  now: number,
): number | undefined {
  const { secret_previous_until: until, secret_overlap_ms: overlap } = webhook;
  return until !== null && until + overlap > now ? until + overlap : undefined;
}

/**
 * Replaces the signing secret of the webhook of an app, and returns the new one. For a day the old
 * one stays the main one, and for another day both are valid. Returns `undefined` without a
 * webhook, and during a rotation: of two requests one wins. One batch.
 */
export async function rotateAppSecret(
  action: ActionContext,
  { clientId, name }: { clientId: string; name: string },
): Promise<string | undefined> {
  const { directory, settings, now } = action;
  const secret = createSecret();
  const sealed = await seal(settings.sealingKeys, secret, appSecretContext(clientId));
  const isReady = sql`client_id = ${clientId} and ${managesApp(action, clientId)}
    and (secret_previous_until is null or secret_previous_until + secret_overlap_ms <= ${now})`;
  const willRotate = sql`exists (select 1 from ${appWebhooks} where ${isReady})`;
  const data = { app: name, change: 'secret', host: '' } as const;
  const [, , rotated] = await directory.batch([
    auditStatement(directory, appLine(action, 'app.webhook_secret_rotated', clientId), willRotate),
    await appMail(action, clientId, data, willRotate),
    rawDatabaseStatement<{ client_id: string }>(
      directory,
      sql`update ${appWebhooks} set secret_previous = secret_current, secret_current = ${sealed},
            secret_mode = ${SecretMode.overlap}, secret_overlap_ms = ${overlapMs},
            secret_previous_until = ${now + overlapMs}, updated_at = ${now}
          where ${isReady} returning client_id`,
    ),
  ]);
  action.defer(wakeMail(action.env));
  return rotated.length > 0 ? secret : undefined;
}

/**
 * Removes the webhook of an app with its deliveries. Events that a run has begun to send may still
 * arrive. One batch.
 */
export async function removeAppWebhook(action: ActionContext, clientId: string): Promise<void> {
  const { directory } = action;
  const isMine = managesApp(action, clientId);
  const exists = sql`${isMine} and exists (select 1 from ${appWebhooks} where client_id = ${clientId})`;
  const run = (text: ReturnType<typeof sql>) => rawDatabaseStatement(directory, text);
  await directory.batch([
    auditStatement(directory, appLine(action, 'app.webhook_removed', clientId), exists),
    run(sql`delete from ${appDeliveries} where client_id = ${clientId} and ${isMine}`),
    run(sql`delete from ${appWebhooks} where client_id = ${clientId} and ${isMine}`),
  ]);
}
