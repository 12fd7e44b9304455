import { publishApp, withdrawOwnApp } from '../../accounts/partners/manage-apps.ts';
import { appPaths, appTransitions } from '../../base/page-paths.ts';
import { countInstalls } from '../../oauth/installed-apps.ts';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { confirmation } from '../../web/forms/form.tsx';
import { ofApps, requireOwnApp, transitionsOf } from './partner-apps.tsx';

/** Query value `done` of the page that reports the result. */
const flashOf = { publish: 'published', withdraw: 'withdrawn', disable: 'disabled' } as const;

/**
 * Publishes a draft, returns an app to draft or disables it. The last two revoke all its grants: at
 * once, or within a minute where a database does not respond. Redirects to the app when its state
 * does not allow this.
 */
export const appTransitionForms = appTransitions.map((transition) =>
  confirmation({
    ...ofApps,
    proof: true,
    path: appPaths.transition(':clientId', transition),
    async load(page) {
      const app = await requireOwnApp(page);
      const { client_id: clientId } = app;
      if (!transitionsOf(app).includes(transition)) return page.redirect(appPaths.app(clientId));
      const installs = await countInstalls(page.env, [clientId], page.now);
      return { app, installs: installs.get(clientId) ?? 0 };
    },
    ask({ messages }, { app, installs }) {
      const { confirm: t, app: buttons } = messages.partners;
      const isReactivation = app.state === 'disabled';
      const endsConnections = transition !== 'publish' && !isReactivation;
      const parts = { app: <UntrustedName name={app.name} /> };
      return {
        question: <Interpolate text={t[transition]} parts={parts} />,
        paragraphs: [
          isReactivation ? t.reactivateLead : t[`${transition}Lead`],
          ...(transition === 'disable' ? [t.disableLater] : []),
          ...(endsConnections ? [t.installs.replace('{count}', String(installs))] : []),
        ],
        submit: buttons[transition],
        isDangerous: endsConnections,
        back: appPaths.app(app.client_id),
      };
    },
    async submit(page) {
      const app = await requireOwnApp(page);
      const { client_id: clientId } = app;
      if (app.disabled_reason !== null) return page.redirect(appPaths.app(clientId));
      if (transition === 'publish') await publishApp(page.action, clientId);
      else {
        const state = transition === 'disable' ? 'disabled' : 'draft';
        await withdrawOwnApp(page.action, clientId, state);
      }
      return page.redirect(`${appPaths.app(clientId)}?done=${flashOf[transition]}`);
    },
  }),
);
