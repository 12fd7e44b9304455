import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { readableAddress } from '../../base/hosts.ts';
import { browserPaths, securityPaths } from '../../base/page-paths.ts';
import { loadSecurity } from '../../data/directory/security-overview.ts';
import { passkeyScript } from '../../web/assets/assets.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage, Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { Passkeys } from './passkey-pages.tsx';
import { RememberedDevices } from './remembered-devices.tsx';

/** `GET /account/security`: second factor, password, devices and details of the user. */
export async function showSecurity(page: SignedInPage) {
  const { user, directory } = page;
  const security = await loadSecurity(directory, user.id, page.now);
  if (!security) throw notFound();
  return (
    <SecurityPage
      dashboard={page.dashboard('security')}
      email={user.email}
      hasSecondFactor={user.hasSecondFactor}
      codesLeft={security.codesLeft}
      passwordChangedAt={security.passwordChangedAt}
      zone={defaultZone}
      devices={security.devices}
      passkeys={security.passkeys}
      hasApp={security.hasApp}
      done={page.done(['off', 'forgotten', 'added', 'removed'])}
      hrefs={{
        setUp: securityPaths.factor,
        newCodes: securityPaths.newCodes,
        off: securityPaths.factorOff,
        password: browserPaths.password,
        sessions: browserPaths.sessions,
        profile: browserPaths.profile,
        shutDoors: securityPaths.shutDoors,
      }}
    />
  );
}

interface SecurityPageProps {
  dashboard: DashboardProps;
  email: string;
  hasSecondFactor: boolean;
  codesLeft: number;
  /** Epoch milliseconds. */
  passwordChangedAt: number;
  zone: string;
  devices: Parameters<typeof RememberedDevices>[0]['devices'];
  passkeys: Parameters<typeof Passkeys>[0]['passkeys'];
  hasApp: boolean;
  done: 'off' | 'forgotten' | 'added' | 'removed' | undefined;
  hrefs: Readonly<
    Record<'setUp' | 'newCodes' | 'off' | 'password' | 'sessions' | 'profile' | 'shutDoors', string>
  >;
}

/** Ways to sign in, the devices, and the details of a user. */
const SecurityPage = ({ dashboard, hrefs, ...props }: SecurityPageProps) => {
  const { language } = dashboard.layout;
  const t = messagesFor(language).security.overview;
  const isOn = props.hasSecondFactor;
  const { passkeys: texts, sessions, profile } = messagesFor(language).security;
  const outcomes = {
    off: isOn ? t.appOff : t.switchedOff,
    forgotten: t.forgotten,
    added: texts.added,
    removed: texts.removed,
  };
  return (
    <DashboardLayout {...dashboard} title={t.title} scripts={[passkeyScript]}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.done && outcomes[props.done]} />
      <section aria-labelledby="factor">
        <h2 id="factor">{t.factor}</h2>
        <p>
          <StateBadge tone={isOn ? 'good' : 'warn'} text={isOn ? t.factorOn : t.factorOff} />
        </p>
        <p class="measure">{isOn ? t.factorOnLead : t.factorOffLead}</p>
        {isOn && <p>{t.codesLeft.replace('{count}', String(props.codesLeft))}</p>}
        <p class="actions">
          {isOn ? (
            <>
              <a class="button plain" href={hrefs.newCodes}>
                {t.newCodes}
              </a>
              {props.hasApp ? (
                <a class="button plain" href={hrefs.off}>
                  {props.passkeys.length > 0 ? t.appOffLink : t.off}
                </a>
              ) : (
                <a class="button plain" href={hrefs.setUp}>
                  {t.addApp}
                </a>
              )}
            </>
          ) : (
            <a class="button" href={hrefs.setUp}>
              {t.setUp}
            </a>
          )}
        </p>
      </section>
      <Passkeys {...{ language }} zone={props.zone} passkeys={props.passkeys} />
      {isOn && <RememberedDevices {...{ language }} zone={props.zone} devices={props.devices} />}
      <section aria-labelledby="password">
        <h2 id="password">{t.password}</h2>
        {props.passwordChangedAt > 0 && (
          <p>
            <Interpolate
              text={t.passwordLead}
              parts={{
                date: (
                  <FormattedTime {...{ language }} at={props.passwordChangedAt} zone={props.zone} />
                ),
              }}
            />
          </p>
        )}
        <p>
          <a href={hrefs.password}>{t.changePassword}</a>
        </p>
      </section>
      <section aria-labelledby="devices">
        <h2 id="devices">{t.devices}</h2>
        <p class="measure">{t.devicesLead}</p>
        <p>
          <a href={hrefs.sessions}>{sessions.title}</a>
        </p>
      </section>
      <section aria-labelledby="profile">
        <h2 id="profile">{t.profile}</h2>
        <p>
          <bdi>{readableAddress(props.email)}</bdi>
        </p>
        <p>
          <a href={hrefs.profile}>{profile.title}</a>
        </p>
      </section>
      <section aria-labelledby="doors">
        <h2 id="doors">{t.intruder}</h2>
        <p class="measure">{t.intruderLead}</p>
        <p class="actions">
          <a class="button plain" href={hrefs.shutDoors}>
            {messagesFor(language).security.shutDoors.title}
          </a>
        </p>
      </section>
    </DashboardLayout>
  );
};
