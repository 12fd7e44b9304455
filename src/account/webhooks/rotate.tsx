import type { Context } from 'hono';
import { HttpError, notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import {
  rotationChoices,
  RotatePage,
  type RotationError,
} from '../../pages/webhooks/rotate-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import {
  commitRotation,
  findRotation,
  rotateSecret,
} from '../../webhooks/endpoints/rotate-secret.ts';
import { webhookPaths } from '../paths.ts';
import { openOwnWebhook, requireEndpoint } from './own-webhook.ts';
import { webhookSecret } from './secret.tsx';

/** How long both secrets sign, by choice. */
const overlapMs = { day: 24 * 3_600_000, week: 7 * 24 * 3_600_000, none: 0 } as const;

/** `GET /account/webhooks/{alias}/{id}/rotate`: the first step of a rotation, or the second. */
export async function showRotate(c: Context<AppEnv>, context: PageContext, fault?: RotationError) {
  const webhook = openOwnWebhook(c, context);
  const { store, db, actor, id } = webhook;
  const [endpoint, rotation] = await Promise.all([
    requireEndpoint(c, webhook),
    findRotation(db, actor, id),
  ]);
  const action = webhookPaths.rotate(store.alias, id);
  const page = (
    <RotatePage
      {...{ action }}
      dashboard={buildDashboardLayoutProps(c, context, 'webhooks', action)}
      name={endpoint.name}
      state={rotation?.state ?? 'single'}
      until={rotation?.until ?? null}
      zone={store.zone}
      error={fault}
      formToken={await sealFormToken(c, context, action)}
      back={webhookPaths.details(store.alias, id)}
    />
  );
  return renderPage(c, page, { status: fault ? 422 : 200 });
}

/** Starts a rotation and shows the new secret once, or makes the new secret the main one (`finish`). */
export async function submitRotate(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { store, db, actor, id } = openOwnWebhook(c, context);
  try {
    if (form.get('step') === 'finish') {
      if (!(await commitRotation(db, actor, id))) throw notFound();
      return c.redirect(`${webhookPaths.details(store.alias, id)}?done=rotated`, 303);
    }
    const choice = rotationChoices.find((name) => name === form.get('overlap'));
    if (!choice) return await showRotate(c, context, 'notChosen');
    const { sealingKeys } = settingsOf(c.env);
    const options = { overlapMs: overlapMs[choice], sealingKeys };
    const started = await rotateSecret(db, actor, id, options);
    if (!started) throw notFound();
    await webhookSecret.stash(c, context, { id, secret: started.secret_key });
    return c.redirect(webhookPaths.secret(store.alias, id), 303);
  } catch (error) {
    // Somebody else took this step meanwhile; the page shows which one is next.
    if (error instanceof HttpError && error.status === 409)
      return c.redirect(webhookPaths.rotate(store.alias, id), 303);
    throw error;
  }
}
