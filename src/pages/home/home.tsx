import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { methodNotAllowed } from '../../base/errors.ts';
import { settingsOf, serviceOrigin } from '../../base/settings.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { browserPaths } from '../../web/paths.ts';
import { detectLanguage, buildLayoutProps, renderPage } from '../../web/render-page.ts';
import { HomePage } from './home-page.tsx';

/** Mounts `GET /`: a page for browsers, JSON for programs. */
export function mountHome(pages: Hono<AppEnv>): void {
  pages.get(browserPaths.home, (c) => {
    c.set('operation', 'home');
    const supports = ['application/json', 'text/html'];
    const type = accepts(c, { header: 'Accept', supports, default: 'application/json' });
    return type === 'text/html' ? showHomePage(c) : showLinks(c);
  });
  pages.all(browserPaths.home, () => {
    throw methodNotAllowed('GET, HEAD');
  });
}

const varyHeaders = { Vary: 'Accept, Accept-Language, Cookie' };

/** Shows the links for merchants, partners and developers. Reads no database. */
function showHomePage(c: Context<AppEnv>) {
  const { signUp } = settingsOf(c.env);
  const page = (
    <HomePage
      layout={buildLayoutProps(c, detectLanguage(c), browserPaths.home)}
      signInHref={browserPaths.session}
      partnersHref={browserPaths.partners}
      docsHref="/docs"
      referenceHref="/docs/reference/operations"
      signUpHref={signUp === 'closed' ? undefined : browserPaths.signUp}
      isOpenToMerchants={signUp === 'everyone'}
    />
  );
  return renderPage(c, page, { headers: varyHeaders });
}

/** Names the addresses that a program needs. */
function showLinks(c: Context<AppEnv>) {
  const settings = settingsOf(c.env);
  const origin = serviceOrigin(settings, c.req.url);
  const body = {
    name: settings.brand.name,
    api: `${origin}/v2`,
    openapi: `${origin}/openapi.json`,
    documentation: `${origin}/docs`,
    llms: `${origin}/llms.txt`,
    authorization_server: `${origin}/.well-known/oauth-authorization-server`,
  };
  return c.json(body, 200, { ...varyHeaders, 'Cache-Control': 'public, max-age=300' });
}
