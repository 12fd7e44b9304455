import type { Context } from 'hono';
import { openDatabase } from '../db/core/open.ts';
import { type App, publishApp } from '../db/directory/apps.ts';
import type { AppEnv } from '../http/app-env.ts';
import { countInstalls } from '../oauth/apps/installs.ts';
import { disableApp } from '../oauth/revoke/withdraw-app.ts';
import { Interpolate, UntrustedName } from '../pages/components/text.tsx';
import { messagesFor } from '../pages/i18n/messages.ts';
import { ConfirmPage } from '../pages/layout/confirm-page.tsx';
import { renderPage } from '../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../session/pages/user-pages.ts';
import { buildPartnerLayoutProps } from './dashboard.ts';
import { requireOwnApp } from './own-app.ts';
import { type AppTransition, appPaths } from './paths.ts';

/** The transitions that each state allows. */
const allowedAppTransitions: Record<App['state'], readonly AppTransition[]> = {
  draft: ['publish', 'disable'],
  published: ['withdraw', 'disable'],
  disabled: ['withdraw'],
};

/** The transitions that an app has now: none while the operator keeps it disabled. */
export const transitionsOf = (app: App) =>
  app.disabled_reason === null ? allowedAppTransitions[app.state] : [];

/** Asks for confirmation and states the consequences. Redirects to the app when its state does not allow this. */
export const showAppTransition =
  (transition: AppTransition) => async (c: Context<AppEnv>, context: PageContext) => {
    const app = await requireOwnApp(c, context);
    const { client_id: clientId } = app;
    const back = appPaths.app(clientId);
    if (!transitionsOf(app).includes(transition)) return c.redirect(back, 303);
    const installCounts = await countInstalls(c.env, [clientId], context.now);
    const action = appPaths.transition(clientId, transition);
    const dashboard = buildPartnerLayoutProps(c, context, 'apps', action);
    const { confirm: t, app: buttons } = messagesFor(dashboard.layout.language).partners;
    const isReactivation = app.state === 'disabled';
    const endsConnections = transition !== 'publish' && !isReactivation;
    const paragraphs = [
      isReactivation ? t.reactivateLead : t[`${transition}Lead`],
      ...(transition === 'disable' ? [t.disableLater] : []),
      ...(endsConnections
        ? [t.installs.replace('{count}', String(installCounts.get(clientId) ?? 0))]
        : []),
    ];
    const page = (
      <ConfirmPage
        {...{ dashboard, paragraphs, action, back }}
        title={buttons[transition]}
        question={
          <Interpolate text={t[transition]} parts={{ app: <UntrustedName name={app.name} /> }} />
        }
        formToken={await sealFormToken(c, context, action)}
        submit={buttons[transition]}
        isDangerous={endsConnections}
      />
    );
    return renderPage(c, page);
  };

/** Query value `done` of the page that reports the result. */
const flashOf = { publish: 'published', withdraw: 'withdrawn', disable: 'disabled' } as const;

/**
 * Publishes a draft, returns an app to draft or disables it. The last two revoke all its grants: at once, or within a minute
 * where a database does not respond.
 */
export const submitAppTransition =
  (transition: AppTransition) => async (c: Context<AppEnv>, context: PageContext) => {
    const app = await requireOwnApp(c, context);
    const { client_id: clientId, owner_id: ownerId } = app;
    const { now } = context;
    if (app.disabled_reason !== null) return c.redirect(appPaths.app(clientId), 303);
    if (transition === 'publish') {
      await publishApp(openDatabase(c.env.DIRECTORY), { ownerId, clientId, now });
    } else {
      await disableApp(c.env, clientId, now, transition === 'disable' ? 'disabled' : 'draft');
    }
    return c.redirect(`${appPaths.app(clientId)}?done=${flashOf[transition]}`, 303);
  };
