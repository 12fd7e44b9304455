import type { Hono } from 'hono';
import { mountAccount } from './account/mount-account.ts';
import type { Faces } from './http/faces.ts';
import { mountAuthorize } from './oauth/mount-authorize.ts';
import { mountPartners } from './partners/mount-partners.ts';
import { browserPages } from './session/browser-pages.ts';
import { mountSession } from './session/mount-session.ts';

/** Everything that people see, but for the documentation. */
export function peoplesPages(): Hono<Faces> {
  const pages = browserPages();
  mountSession(pages);
  mountAuthorize(pages);
  mountAccount(pages);
  mountPartners(pages);
  return pages;
}
