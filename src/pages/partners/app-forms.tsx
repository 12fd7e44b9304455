import { editApp, isNameTaken, registerApp } from '../../accounts/partners/manage-apps.ts';
import { proofsOf, verifyPublisher } from '../../accounts/partners/verify-publisher.ts';
import { appPaths, browserPaths } from '../../base/page-paths.ts';
import { type AppValues, verifiedHost } from '../../data/directory/apps.ts';
import { selectPartnersOf } from '../../data/directory/partner-teams.ts';
import { allScopeBits, groupScopes } from '../../data/grants/scopes.ts';
import { generateClientId } from '../../oauth/client.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { AppLogo, IdentityFacts } from '../../web/components/app-identity.tsx';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { AreaList } from '../../web/components/scope-list.tsx';
import type { FieldView } from '../../web/forms/form-page.tsx';
import { userForm } from '../../web/forms/form.tsx';
import { ScopeChoice, scopesOfChoice, shownChoice } from '../../web/forms/scope-choice.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { appFields, type AppFields } from './app-fields.ts';
import { ofApps, requireOwnApp } from './partner-apps.tsx';

/** The stored form of the fields. */
const toAppValues = ({
  name,
  publisher,
  site_url: site,
  support,
  privacy_url: privacy,
  redirect_uris: uris,
  ...sent
}: AppFields): AppValues => ({
  name,
  publisher,
  site_url: site || null,
  support: support || null,
  privacy_url: privacy || null,
  redirect_uris: uris.split('\n'),
  scopes: scopesOfChoice(sent) ?? allScopeBits,
});

/** The fields, with their stored values. */
function appViews(messages: Messages, stored?: AppValues): FieldView[] {
  const { form: t } = messages.partners;
  return [
    { name: 'name', label: t.name, hint: t.nameHint, type: 'text', value: stored?.name ?? '' },
    {
      name: 'publisher',
      label: t.publisher,
      hint: t.publisherHint,
      type: 'text',
      autocomplete: 'organization',
      value: stored?.publisher ?? '',
    },
    {
      name: 'site_url',
      label: t.site,
      hint: t.siteHint,
      type: 'url',
      isOptional: true,
      value: stored?.site_url ?? '',
    },
    {
      name: 'support',
      label: t.support,
      hint: t.supportHint,
      type: 'text',
      isOptional: true,
      value: stored?.support ?? '',
    },
    {
      name: 'privacy_url',
      label: t.privacy,
      hint: t.privacyHint,
      type: 'url',
      isOptional: true,
      value: stored?.privacy_url ?? '',
    },
    {
      name: 'redirect_uris',
      label: t.uris,
      hint: t.urisHint,
      type: 'textarea',
      value: stored?.redirect_uris.join('\n') ?? '',
    },
    {
      name: 'powers',
      type: 'own',
      content: (error, sent) => (
        <ScopeChoice
          {...{ messages, error }}
          shown={shownChoice(sent, stored?.scopes)}
          texts={{
            label: t.scopes,
            hint: t.scopesHint,
            presets: { ...messages.apiKeys.presets, ...t.presets },
          }}
        />
      ),
    },
  ];
}

const nameTaken = ({ messages }: SignedInPage) => ({
  errors: [{ field: 'name', text: messages.partners.form.nameTaken }],
});

/**
 * `/partners/new`: registers an app as a draft and generates its client id. A member of teams
 * chooses the owner of the app: the user, or the partner of a team. One round trip.
 */
export const appRegistrationForm = userForm({
  ...ofApps,
  path: appPaths.register,
  load: async ({ directory, user }) => selectPartnersOf(directory, user.id),
  fields: appFields,
  view({ messages, user }, partners) {
    const { team } = messages.partnerTools;
    const t = messages.partners.form;
    const owners = [
      { value: String(user.id), text: team.myself, meaning: team.ownerMine },
      ...partners.map(({ id, name }) => ({
        value: String(id),
        text: name,
        meaning: team.ownerOthers,
      })),
    ];
    const owner: FieldView = {
      name: 'owner',
      label: team.owner,
      type: 'radio',
      options: owners,
      value: String(user.id),
    };
    return {
      title: t.register,
      fields: [...(partners.length > 0 ? [owner] : []), ...appViews(messages)],
      submit: t.register,
      back: browserPaths.partners,
      isWide: true,
    };
  },
  async submit(page, values) {
    const { directory, settings, user } = page;
    const partners = await selectPartnersOf(directory, user.id);
    const ownerId = partners.find(({ id }) => String(id) === values.owner)?.id ?? user.id;
    if (await isNameTaken(page.action, values.name, { ownerId })) return nameTaken(page);
    const clientId = await generateClientId(settings);
    const isAdded = await registerApp(page.action, { clientId, ownerId }, toAppValues(values));
    if (!isAdded) return { errors: [{ text: page.messages.partners.form.tooMany }] };
    return page.redirect(`${appPaths.app(clientId)}?done=registered`);
  },
});

/** `/partners/{client id}/edit`: replaces the fields of an app. */
export const appEditForm = userForm({
  ...ofApps,
  // Merchants are sent to these addresses, with a code.
  proof: true,
  path: appPaths.edit(':clientId'),
  load: requireOwnApp,
  fields: appFields,
  view({ messages, language, now }, app) {
    const t = messages.partners.form;
    const parts = { app: <UntrustedName name={app.name} /> };
    return {
      title: app.name,
      heading: <Interpolate text={t.edit} parts={parts} />,
      fields: appViews(messages, app),
      ...(app.verified_host !== null && { note: t.proof }),
      submit: t.save,
      back: appPaths.app(app.client_id),
      isWide: true,
      beside: {
        title: messages.partnerTools.app.merchants,
        content: (
          <>
            <div class="named">
              <AppLogo {...{ app, language }} />
              <h3>
                <Interpolate text={messages.consent.heading} {...{ parts }} />
              </h3>
            </div>
            <dl class="facts">
              <IdentityFacts
                app={{ ...app, verified: verifiedHost(app, now) }}
                language={language}
              />
            </dl>
            <AreaList {...groupScopes(app.scopes)} {...{ messages }} />
          </>
        ),
      },
    };
  },
  async submit(page, values) {
    const clientId = page.param('clientId');
    if (await isNameTaken(page.action, values.name, { clientId })) return nameTaken(page);
    await editApp(page.action, clientId, toAppValues(values));
    return page.redirect(`${appPaths.app(clientId)}?done=saved`);
  },
});

/**
 * `/partners/{client id}/verify`: says how the publisher proves the domain of the app's site, and
 * looks for the proof.
 */
export const publisherForm = userForm({
  ...ofApps,
  // It sends requests to the domain.
  limit: 'webhooks',
  path: appPaths.verify(':clientId'),
  load: requireSite,
  view({ messages, settings, language }, app) {
    const t = messages.partners.domain;
    const { host, record, file } = proofsOf(settings, app);
    const parts = { host: <strong class="host">{host}</strong> };
    const hasRecord = looksForRecord(settings);
    return {
      title: t.title,
      heading: <Interpolate text={t.heading} parts={parts} />,
      intro: (
        <>
          <p>{hasRecord ? `${t.lead} ${t.either}` : t.lead}</p>
          {hasRecord && (
            <>
              <h2>{t.record}</h2>
              <CopyableCode language={language} label={t.recordName} value={record.name} />
              <CopyableCode language={language} label={t.recordValue} value={record.value} />
            </>
          )}
          <h2>{t.file}</h2>
          <CopyableCode language={language} label={t.fileUrl} value={file.url} />
          <CopyableCode language={language} label={t.fileLine} value={file.line} />
          <p>{t.lasts}</p>
        </>
      ),
      scripts: [copyButtonScript],
      submit: t.check,
      back: appPaths.app(app.client_id),
      isWide: true,
    };
  },
  async submit(page) {
    const app = await requireSite(page);
    if (app instanceof Response) return app;
    const isVerified = await verifyPublisher(page.action, app);
    const { absent, recordLate } = page.messages.partners.domain;
    const text = looksForRecord(page.settings) ? `${absent} ${recordLate}` : absent;
    if (!isVerified) return { errors: [{ text }] };
    return page.redirect(`${appPaths.app(app.client_id)}?done=verified`);
  },
});

/** Whether a DNS record is a proof, too: only where the service has a resolver. */
const looksForRecord = ({ resolverUrl }: SignedInPage['settings']) => resolverUrl !== '';

/** Loads the app of the path. One without a site gets it on its form first. */
async function requireSite(page: SignedInPage) {
  const app = await requireOwnApp(page);
  const { site_url: site } = app;
  return site === null ? page.redirect(appPaths.edit(app.client_id)) : { ...app, site_url: site };
}
