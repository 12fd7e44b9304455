import { nameIn } from '../../data/directory/apps.ts';
import { isPersonalArea, type ScopeArea } from '../../data/grants/scopes.ts';
import { offeredAreas } from '../../oauth/agents/chosen-scopes.ts';
import { deviceHost } from '../../oauth/redirect-uris.ts';
import { clickGuardScript } from '../../web/assets/assets.ts';
import { CheckboxField, RadioField } from '../../web/components/choice-fields.tsx';
import { ErrorSummary, FormTokenInput, type FormProps } from '../../web/components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { NarrowLayout } from '../../web/components/narrow-layout.tsx';
import { SwitchAccount } from '../../web/sign-in/switch-account.tsx';
import { OtherStore, type AskedConsent } from './consent-page.tsx';

/** An assistant asks for access: who it is, and what the person lets it do. */
export const AgentConsentPage = ({
  asked,
  host,
  form,
}: {
  asked: AskedConsent;
  /** Where the answer goes and, for the document of a client, who published it. */
  host: string;
  form: FormProps;
}) => {
  const { page, store, returnsTo } = asked;
  const { messages } = page;
  const t = messages.consent.agent;
  const shownStore = (
    <strong>
      <bdi>{store.name}</bdi> ({store.alias})
    </strong>
  );
  return (
    <NarrowLayout {...page.layout(asked.path)} title={t.title} scripts={[clickGuardScript]}>
      <h1>{t.title}</h1>
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <p class="lead">
        <Interpolate text={t.asks} parts={{ store: shownStore }} />
      </p>
      <Identity {...{ asked, host }} />
      <OtherStore {...asked} />
      <SwitchAccount {...{ page }} returnTo={asked.path} />
      <form method="post" action={form.action} class="wide decision last">
        <FormTokenInput formToken={form.formToken} />
        <Choices {...{ asked, form }} />
        <p>{t.always}</p>
        <p>
          <Interpolate
            text={returnsTo.isThisDevice ? messages.consent.returnsLocal : messages.consent.returns}
            parts={{ host: <strong class="host">{returnsTo.host}</strong> }}
          />
        </p>
        <p>{t.ends}</p>
        <p class="actions wide">
          <button name="decision" value="deny" class="plain">
            {messages.consent.deny}
          </button>
          <button name="decision" value="approve" data-settle>
            {messages.consent.approve}
          </button>
        </p>
      </form>
    </NarrowLayout>
  );
};

/** Who asks: what is known for sure, and what the assistant claims. */
const Identity = ({
  asked: { page, app, returnsTo },
  host,
}: {
  asked: AskedConsent;
  host: string;
}) => {
  const t = page.messages.consent.agent;
  return (
    <>
      <dl class="facts">
        <dt>{t.from}</dt>
        <dd>
          {returnsTo.isThisDevice ? (
            t.thisDevice.replace('{host}', returnsTo.host)
          ) : (
            <>
              <strong class="host">{host}</strong> <span class="tag">{t.verified}</span>
            </>
          )}
        </dd>
        <dt>{t.name}</dt>
        <dd>
          <UntrustedName name={nameIn(app, page.language)} />{' '}
          <span class="tag">{t.notVerified}</span>
        </dd>
        {returnsTo.isThisDevice && host !== deviceHost && (
          <>
            <dt>{t.claimed}</dt>
            <dd>
              <span class="host">{host}</span> <span class="tag">{t.notVerified}</span>
            </dd>
          </>
        )}
      </dl>
      <p class="notice">{t.careful}</p>
    </>
  );
};

/** The access of the assistant: to read or to change, in which areas. */
const Choices = ({
  asked: { page, request },
  form: { sent },
}: {
  asked: AskedConsent;
  form: FormProps;
}) => {
  const { consent, scopes } = page.messages;
  const t = consent.agent;
  const { usual, sensitive, hasChanges } = offeredAreas(request.scopes);
  const plain = usual.filter((area) => !isPersonalArea(area));
  const consequences: Readonly<Record<string, string>> = hasChanges ? scopes.consequences : {};
  const option = (area: ScopeArea) => {
    const consequence = consequences[`${area}.write`];
    const read = scopes.meanings[`${area}.read`];
    return {
      value: area,
      text: (
        <>
          <strong>{scopes.areas[area]}</strong>
          {/* A consequence follows from changing, not from reading. */}
          {!plain.includes(area) && <span class="meaning">{read}</span>}
          {consequence !== undefined && (
            <span class="meaning">
              <strong>{t.risk}</strong> {consequence}
            </span>
          )}
        </>
      ),
    };
  };
  const kinds = [
    { value: 'read', text: t.readOnly, meaning: t.readOnlyMeaning },
    ...(hasChanges ? [{ value: 'write', text: t.change, meaning: t.changeMeaning }] : []),
  ];
  const groups = [
    { label: t.usual, options: usual.map(option) },
    { label: t.sensitive, options: sensitive.map(option) },
  ];
  return (
    <>
      <RadioField
        name="access"
        label={consent.may}
        options={kinds}
        value={sent?.get('access') ?? 'read'}
      />
      <CheckboxField
        name="area"
        label={t.areas}
        groups={groups.filter(({ options }) => options.length > 0)}
        chosen={sent?.getAll('area') ?? usual}
      />
      {plain.length > 0 && (
        <details>
          <summary>
            {t.more.replace('{areas}', () => plain.map((area) => scopes.areas[area]).join(', '))}
          </summary>
          <ul class="scopes">
            {plain.map((area) => (
              <li>{scopes.meanings[`${area}.read`]}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
};
