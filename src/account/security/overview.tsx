import type { Context } from 'hono';
import { defaultZone } from '../../codecs/time/zone.ts';
import { openDatabase } from '../../db/core/open.ts';
import { loadSecurity } from '../../db/directory/security.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { SecurityPage } from '../../pages/security/security-page.tsx';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { securityPaths } from './paths.ts';

/** `GET /account/security`: second factor, password, devices and details of the user. */
export async function showSecurity(c: Context<AppEnv>, context: PageContext) {
  const { user } = context.session;
  const security = await loadSecurity(openDatabase(c.env.DIRECTORY), user.id);
  if (!security) throw notFound();
  const page = (
    <SecurityPage
      dashboard={buildDashboardLayoutProps(c, context, 'security', browserPaths.security)}
      email={user.email}
      hasSecondFactor={user.hasSecondFactor}
      codesLeft={security.codesLeft}
      passwordChangedAt={security.passwordChangedAt}
      zone={defaultZone}
      hasSwitchedOff={c.req.query('done') === 'off'}
      hrefs={{
        setUp: securityPaths.factor,
        newCodes: securityPaths.newCodes,
        off: securityPaths.factorOff,
        password: browserPaths.password,
        sessions: browserPaths.sessions,
        profile: browserPaths.profile,
      }}
    />
  );
  return renderPage(c, page);
}
