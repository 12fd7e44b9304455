import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { clickGuardScript } from '../../web/assets/assets.ts';
import { AppLogo, IdentityFacts, type ShownIdentity } from '../../web/components/app-identity.tsx';
import { FormTokenInput } from '../../web/components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { NarrowLayout, type LayoutProps } from '../../web/components/narrow-layout.tsx';
import {
  AreaList,
  DangerousScopeList,
  type RequestedScopes,
} from '../../web/components/scope-list.tsx';
import { SwitchAccount, type SwitchAccountProps } from '../../web/components/signed-in-user.tsx';
import { FormattedDate } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

export interface ConsentPageProps extends RequestedScopes {
  layout: LayoutProps;
  action: string;
  formToken: string;
  app: ShownIdentity & { client_id: string; name: string; logo: string | null; isDraft: boolean };
  /** Stores that the app is connected to, and since when it is registered (epoch milliseconds). */
  record: { installs: number; since: number };
  store: { name: string; alias: string };
  /** Link to the choice of stores, if there is more than one. */
  storesHref?: string | undefined;
  returnsTo: { host: string; isThisDevice: boolean };
  switchAccount: SwitchAccountProps;
}

/** The scopes that an app requests, with Approve and Deny. */
export const ConsentPage = (props: ConsentPageProps) => {
  const { layout, app, record, store, reads, writes, dangerous, personal, returnsTo } = props;
  const messages = messagesFor(layout.language);
  const t = messages.consent;
  const name = <UntrustedName name={app.name} />;
  return (
    <NarrowLayout {...layout} title={t.title} scripts={[clickGuardScript]}>
      <div class="named">
        <AppLogo app={app} language={layout.language} />
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
      {props.storesHref && (
        <p>
          <a class="target" href={props.storesHref}>
            {messages.store.chooseAnother}
          </a>
        </p>
      )}
      <dl class="facts">
        <IdentityFacts app={app} language={layout.language} />
        <dt>{t.installs}</dt>
        <dd>{record.installs.toLocaleString(layout.language)}</dd>
        <dt>{t.since}</dt>
        <dd>
          <FormattedDate language={layout.language} zone={defaultZone} at={record.since} />
        </dd>
      </dl>
      {app.isDraft && <p class="notice">{t.draft}</p>}
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
          action={props.action}
          class={`actions wide decision${dangerous.length > 0 ? ' last' : ''}`}
        >
          <FormTokenInput formToken={props.formToken} />
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
        <SwitchAccount {...props.switchAccount} />
      </div>
    </NarrowLayout>
  );
};
