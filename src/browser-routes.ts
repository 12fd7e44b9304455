import type { Hono } from 'hono';
import { mountAccount } from './account/routes.ts';
import type { AppEnv } from './http/app-env.ts';
import { mountAuthorizeRoutes } from './oauth/authorize/endpoint.tsx';
import { mountPartners } from './partners/routes.ts';
import { createBrowserApp } from './session/error-pages.tsx';
import { limitPages } from './session/page-limit.ts';
import { mountSessionRoutes } from './session/routes.ts';

/** Routes for browsers, except the documentation: sign-in, consent, account and partner panel. */
export function browserRoutes(): Hono<AppEnv> {
  const pages = createBrowserApp();
  pages.use(limitPages);
  mountSessionRoutes(pages);
  mountAuthorizeRoutes(pages);
  mountAccount(pages);
  mountPartners(pages);
  return pages;
}
