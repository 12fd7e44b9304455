import type { Hono } from 'hono';
import { limitPages } from '../http/access/rate-limit.ts';
import type { AppEnv } from '../http/app-env.ts';
import { createBrowserApp } from '../web/error-pages.tsx';
import { mountPublicForms, mountSessionRoutes } from '../web/sign-in/session-routes.ts';
import { mountAccount } from './account/account-pages.ts';
import { mountLogos } from './app-logos.ts';
import { mountAuthorizeRoutes } from './consent/authorize.ts';
import { mountHome } from './home-page.tsx';
import { mountOperator } from './operator/operator-pages.ts';
import { mountPartners } from './partners/partner-pages.ts';

/** Routes for browsers, except the documentation: sign-in, consent, account and partner panel. */
export function browserRoutes(): Hono<AppEnv> {
  const pages = createBrowserApp();
  pages.use(limitPages);
  mountLogos(pages);
  mountHome(pages);
  mountSessionRoutes(pages);
  mountPublicForms(pages);
  mountAuthorizeRoutes(pages);
  mountAccount(pages);
  mountPartners(pages);
  mountOperator(pages);
  return pages;
}
