import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import type { SignedInPage } from '../../web/page.ts';
import { browserPaths, securityPaths } from '../../web/paths.ts';
import { SecurityPage } from './security-page.tsx';

/** `GET /account/security`: second factor, password, devices and details of the user. */
export async function showSecurity(page: SignedInPage) {
  const { user, directory } = page;
  const security = await loadSecurity(directory, user.id);
  if (!security) throw notFound();
  return (
    <SecurityPage
      dashboard={page.dashboard('security')}
      email={user.email}
      hasSecondFactor={user.hasSecondFactor}
      codesLeft={security.codesLeft}
      passwordChangedAt={security.passwordChangedAt}
      zone={defaultZone}
      hasSwitchedOff={page.query('done') === 'off'}
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
}
