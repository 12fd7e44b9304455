import type { Hono } from 'hono';
import { mountAccount } from './account/routes.ts';
import { mountHome } from './home/home.tsx';
import type { AppEnv } from './http/app-env.ts';
import { mountAuthorizeRoutes } from './oauth/authorize/endpoint.tsx';
import { mountOperator } from './operator/routes.ts';
import { mountPartners } from './partners/routes.ts';
import { mountPublicForms } from './session/links/routes.ts';
import { createBrowserApp } from './session/pages/error-pages.tsx';
import { limitPages } from './session/pages/page-limit.ts';
import { mountSessionRoutes } from './session/routes.ts';

/** Routes for browsers, except the documentation: sign-in, consent, account and partner panel. */
export function browserRoutes(): Hono<AppEnv> {
  const pages = createBrowserApp();
  pages.use(limitPages);
  mountHome(pages);
  mountSessionRoutes(pages);
  mountPublicForms(pages);
  mountAuthorizeRoutes(pages);
  mountAccount(pages);
  mountPartners(pages);
  mountOperator(pages);
  return pages;
}
