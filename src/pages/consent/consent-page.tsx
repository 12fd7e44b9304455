import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { withQueryParameter } from '../../base/page-paths.ts';
import { verifiedHost, type App } from '../../data/directory/apps.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { groupScopes } from '../../data/grants/scopes.ts';
import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { describeRedirectTarget } from '../../oauth/redirect-uris.ts';
import { clickGuardScript } from '../../web/assets/assets.ts';
import { AppLogo, IdentityFacts } from '../../web/components/app-identity.tsx';
import { FormTokenInput, type FormProps } from '../../web/components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { NarrowLayout } from '../../web/components/narrow-layout.tsx';
import { AreaList, DangerousScopeList } from '../../web/components/scope-list.tsx';
import { FormattedDate } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { SwitchAccount } from '../../web/sign-in/switch-account.tsx';
import { storeParameter } from './show-stores.tsx';

/** A request for access to one store, as its page shows it. */
export interface AskedConsent {
  page: SignedInPage;
  request: AuthorizationRequest;
  /** With the name that it has now. */
  app: App;
  store: ManagedStore;
  /** Leads to this page. */
  path: string;
  /** Whether the user can choose another store. */
  hasChoice: boolean;
  returnsTo: ReturnType<typeof describeRedirectTarget>;
}

/** A link to the choice of stores, if there is more than one. */
export const OtherStore = ({ page, path, hasChoice }: AskedConsent) =>
  hasChoice ? (
    <p>
      <a class="target" href={withQueryParameter(path, storeParameter)}>
        {page.messages.store.chooseAnother}
      </a>
    </p>
  ) : null;

/**
 * The scopes that an app requests, with Approve and Deny. `installs` counts the stores that it is
 * connected to.
 */
export const ConsentPage = ({
  asked,
  installs,
  form,
}: {
  asked: AskedConsent;
  installs: number;
  form: FormProps;
}) => {
  const { page, app, store, returnsTo } = asked;
  const { language, messages } = page;
  const { reads, writes, dangerous, personal } = groupScopes(asked.request.scopes);
  const t = messages.consent;
  const name = <UntrustedName name={app.name} />;
  return (
    <NarrowLayout {...page.layout(asked.path)} title={t.title} scripts={[clickGuardScript]}>
      <div class="named">
        <AppLogo {...{ app, language }} />
        <h1>
          <Interpolate text={t.heading} parts={{ app: name }} />
        </h1>
      </div>
      <p class="lead">
        <Interpolate
          text={t.asks}
          parts={{
            app: name,
            store: (
              <strong>
                <bdi>{store.name}</bdi> ({store.alias})
              </strong>
            ),
          }}
        />
      </p>
      <OtherStore {...asked} />
      <dl class="facts">
        <IdentityFacts app={{ ...app, verified: verifiedHost(app, page.now) }} {...{ language }} />
        <dt>{t.installs}</dt>
        <dd>{installs.toLocaleString(language)}</dd>
        <dt>{t.since}</dt>
        <dd>
          <FormattedDate {...{ language }} zone={defaultZone} at={app.created_at} />
        </dd>
      </dl>
      {app.state === 'draft' && <p class="notice">{t.draft}</p>}
      {dangerous.length > 0 && <DangerousScopeList scopes={dangerous} messages={messages} />}
      <h2>{t.may}</h2>
      <ul class="scopes">
        <li>{t.always}</li>
      </ul>
      <AreaList {...{ reads, writes, personal, messages }} />
      {/* Warnings come before the buttons, which otherwise stay in sight. */}
      <div class="beside">
        <form
          method="post"
          action={form.action}
          class={`actions wide decision${dangerous.length > 0 ? ' last' : ''}`}
        >
          <FormTokenInput formToken={form.formToken} />
          <button name="decision" value="deny" class="plain">
            {t.deny}
          </button>
          <button name="decision" value="approve" data-settle>
            {t.approve}
          </button>
        </form>
        <p class={returnsTo.isThisDevice ? 'notice' : 'muted'}>
          <Interpolate
            text={returnsTo.isThisDevice ? t.returnsLocal : t.returns}
            parts={{ host: <strong class="host">{returnsTo.host}</strong> }}
          />
        </p>
        <p class="muted">{t.disconnect}</p>
        <SwitchAccount {...{ page }} returnTo={asked.path} />
      </div>
    </NarrowLayout>
  );
};
