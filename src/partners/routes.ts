import type { Hono } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { browserPaths } from '../session/paths.ts';
import { mountUserPages } from '../session/user-pages.ts';
import {
  submitAppEdit,
  showAppEdit,
  submitAppRegistration,
  showAppRegistration,
} from './app-forms.tsx';
import { showApp, showApps } from './apps.tsx';
import { appPaths, appTransitions } from './paths.ts';
import { showAppTransition, submitAppTransition } from './transitions.tsx';

/** Mounts the pages under `/partners`. */
export function mountPartners(pages: Hono<AppEnv>): void {
  const clientId = ':clientId';
  mountUserPages(pages, { root: browserPaths.partners, operation: 'partners' }, [
    { path: browserPaths.partners, show: showApps },
    { path: appPaths.register, show: showAppRegistration, onSubmit: submitAppRegistration },
    { path: appPaths.app(clientId), show: showApp },
    { path: appPaths.edit(clientId), show: showAppEdit, onSubmit: submitAppEdit },
    ...appTransitions.map((transition) => ({
      path: appPaths.transition(clientId, transition),
      show: showAppTransition(transition),
      onSubmit: submitAppTransition(transition),
    })),
  ]);
}
