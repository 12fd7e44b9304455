import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { readableAddress } from '../../base/hosts.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import { passkeyScript } from '../../web/assets/assets.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { Passkeys } from './passkey-pages.tsx';
import { RememberedDevices } from './remembered-devices.tsx';

/** `GET /account/security`: ways to sign in, the devices, and the details of the user. */
export async function showSecurity(page: SignedInPage) {
  const { user, directory, language, messages } = page;
  const security = await loadSecurity(directory, user.id, page.now);
  if (!security) throw notFound();
  const { devices, passkeys, passwordChangedAt } = security;
  const { overview: t, passkeys: texts, sessions, profile, shutDoors } = messages.security;
  const zone = defaultZone;
  const isOn = user.hasSecondFactor;
  const outcomes = {
    off: isOn ? t.appOff : t.switchedOff,
    forgotten: t.forgotten,
    added: texts.added,
    removed: texts.removed,
  };
  const done = page.done(['off', 'forgotten', 'added', 'removed']);
  return (
    <DashboardLayout {...page.dashboard('security')} title={t.title} scripts={[passkeyScript]}>
      <h1>{t.title}</h1>
      <FlashMessage text={done && outcomes[done]} />
      <section aria-labelledby="factor">
        <h2 id="factor">{t.factor}</h2>
        <p>
          <StateBadge tone={isOn ? 'good' : 'warn'} text={isOn ? t.factorOn : t.factorOff} />
        </p>
        <p class="measure">{isOn ? t.factorOnLead : t.factorOffLead}</p>
        {isOn && <p>{t.codesLeft.replace('{count}', String(security.codesLeft))}</p>}
        <p class="actions">
          {isOn ? (
            <>
              <a class="button plain" href={securityPaths.newCodes}>
                {t.newCodes}
              </a>
              {security.hasApp ? (
                <a class="button plain" href={securityPaths.factorOff}>
                  {passkeys.length > 0 ? t.appOffLink : t.off}
                </a>
              ) : (
                <a class="button plain" href={securityPaths.factor}>
                  {t.addApp}
                </a>
              )}
            </>
          ) : (
            <a class="button" href={securityPaths.factor}>
              {t.setUp}
            </a>
          )}
        </p>
      </section>
      <Passkeys {...{ page, passkeys }} />
      {isOn && <RememberedDevices {...{ page, devices }} />}
      <section aria-labelledby="password">
        <h2 id="password">{t.password}</h2>
        {passwordChangedAt > 0 && (
          <p>
            <Interpolate
              text={t.passwordLead}
              parts={{
                date: <FormattedTime {...{ language, zone }} at={passwordChangedAt} />,
              }}
            />
          </p>
        )}
        <p>
          <a href={browserPaths.password}>{t.changePassword}</a>
        </p>
      </section>
      <section aria-labelledby="devices">
        <h2 id="devices">{t.devices}</h2>
        <p class="measure">{t.devicesLead}</p>
        <p>
          <a href={browserPaths.sessions}>{sessions.title}</a>
        </p>
      </section>
      <section aria-labelledby="profile">
        <h2 id="profile">{t.profile}</h2>
        <p>
          <bdi>{readableAddress(user.email)}</bdi>
        </p>
        <p>
          <a href={browserPaths.profile}>{profile.title}</a>
        </p>
      </section>
      <section aria-labelledby="doors">
        <h2 id="doors">{t.intruder}</h2>
        <p class="measure">{t.intruderLead}</p>
        <p class="actions">
          <a class="button plain" href={securityPaths.shutDoors}>
            {shutDoors.title}
          </a>
        </p>
      </section>
    </DashboardLayout>
  );
}
