import * as z from 'zod';
import { equalInConstantTime, sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { minuteMs } from '../../base/durations.ts';
import { appPaths, browserPaths, testStorePaths } from '../../base/page-paths.ts';
import { findOwnApp, type OwnApp } from '../../data/directory/apps.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { authorizePath, resolveIssuer, trialRedirectUri } from '../../oauth/server-metadata.ts';
import { handleTokenRequest } from '../../oauth/token/token-endpoint.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { findByFormerAlias } from '../../web/find-store.ts';
import { sentText } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';
import { connectableStores } from '../consent/show-stores.tsx';
import { ofApps, requireOwnApp } from './partner-apps.tsx';

/**
 * The state of a trial, in which the panel acts as the app: an app keeps the same between request
 * and callback.
 */
interface Trial {
  clientId: string;
  alias: string;
  state: string;
  /** The PKCE verifier. */
  verifier: string;
}

/** Time to sign in and decide, in milliseconds. */
const trialLifetimeMs = 15 * minuteMs;

/**
 * A trial on its way to the page of its result, which redeems a code once. A new trial replaces it.
 */
const keptTrial = new ShownOnce<Trial>('trial', 'app-trial', trialLifetimeMs);

/** The test stores of the app's partner that the user may connect; none for a disabled app. */
const storesFor = (app: OwnApp, { session }: SignedInPage): ManagedStore[] =>
  app.state === 'disabled' ? [] : connectableStores({ app, isTrial: true }, session);

/**
 * `/partners/{client id}/try`: chooses the test store for a trial of the app. The form sends the
 * browser to the consent page, as the app would. Only the cookie of this browser holds its verifier
 * and state.
 */
export const trialForm = userForm({
  ...ofApps,
  path: appPaths.trial(':clientId'),
  load: requireOwnApp,
  fields: () => z.object({ store: sentText }),
  view(page, app) {
    const { trial: t, testStores } = page.messages.partnerTools;
    const back = appPaths.app(app.client_id);
    const shared = {
      title: t.open,
      heading: <Interpolate text={t.title} parts={{ app: <UntrustedName name={app.name} /> }} />,
      paragraphs: [t.lead],
      isWide: true,
    };
    const stores = storesFor(app, page);
    if (stores.length === 0) {
      const makeLink = { href: testStorePaths.make, text: testStores.make };
      const intro =
        app.state === 'disabled' ? (
          <p class="notice danger">{t.disabled}</p>
        ) : (
          <EmptyState text={t.none} link={makeLink} />
        );
      return { ...shared, intro, back: { href: back, text: t.back } };
    }
    return {
      ...shared,
      fields: [
        {
          name: 'store',
          label: t.store,
          type: 'radio',
          options: stores.map(({ name, alias }) => ({ value: alias, text: name, meaning: alias })),
          value: stores[0]?.alias,
        },
      ],
      submit: t.submit,
      back,
    };
  },
  async submit(page, { store: alias }) {
    const app = await requireOwnApp(page);
    const stores = storesFor(app, page);
    const store =
      stores.find((candidate) => candidate.alias === alias) ??
      (await findByFormerAlias(page, stores, alias));
    if (!store) {
      return { errors: [{ field: 'store', text: page.messages.partnerTools.trial.storeMissing }] };
    }
    const { client_id: clientId } = app;
    const trial = {
      clientId,
      alias: store.alias,
      state: randomBase64url(16),
      verifier: randomBase64url(32),
    };
    await keptTrial.stash(page, trial);
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: trialRedirectUri(resolveIssuer(page.settings, page.c.req.url)),
      code_challenge: await sha256(trial.verifier),
      code_challenge_method: 'S256',
      state: trial.state,
      store: store.alias,
    });
    return page.redirect(`${authorizePath}?${query.toString()}`);
  },
});

const TokenReply = z.union([
  z.looseObject({ access_token: z.string(), refresh_token: z.string() }),
  z.looseObject({ error: z.string() }),
]);

/**
 * `GET /partners/try/callback`: redeems the code of a trial and shows the response that the app
 * would get. The cookie is used up first, so a reload, or a link from another page, redeems
 * nothing.
 */
export async function showTrialResult(page: SignedInPage) {
  const trial = await keptTrial.take(page);
  const { state = '', code, error } = page.c.req.query();
  const dashboard = page.dashboard('partners/apps', browserPaths.partners);
  const app =
    trial && (await equalInConstantTime(state, trial.state))
      ? await findOwnApp(page.directory, page.user.id, trial.clientId)
      : undefined;
  const againHref = app ? appPaths.trial(app.client_id) : browserPaths.partners;
  const { language } = page;
  const { trial: t } = page.messages.partnerTools;
  const failed = (code: string) => t.failed.replace('{error}', () => code);
  const end = (text: string) => (
    <DashboardLayout {...dashboard} title={t.endTitle}>
      <h1>{t.endTitle}</h1>
      <p>{text}</p>
      <p class="actions">
        <a class="button" href={againHref}>
          {t.again}
        </a>
      </p>
    </DashboardLayout>
  );
  if (!trial || !app) return end(t.stale);
  if (code === undefined) {
    return end(error === 'access_denied' ? t.denied : failed('invalid_request'));
  }
  const issuer = resolveIssuer(page.settings, page.c.req.url);
  const request = new Request(`${issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: trial.clientId,
      code,
      code_verifier: trial.verifier,
      redirect_uri: trialRedirectUri(issuer),
    }),
  });
  const defer = (work: Promise<unknown>) => page.defer(work);
  const response = await handleTokenRequest(page.env, request, page.now, defer);
  const reply = TokenReply.parse(await response.json());
  if (!('access_token' in reply) || typeof reply.access_token !== 'string') {
    return end(failed(String(reply['error'])));
  }
  const store = page.session.stores.find(({ alias }) => alias === trial.alias);
  const call = [
    `curl '${issuer}/v2/${trial.alias}/catalog/products'`,
    `-H 'Authorization: Bearer ${reply.access_token}'`,
    `-H 'X-Partner-Client-ID: ${trial.clientId}'`,
  ].join(' \\\n  ');
  return (
    <DashboardLayout {...dashboard} title={t.doneTitle} scripts={[copyButtonScript]}>
      <h1>{t.doneTitle}</h1>
      <p>
        <Interpolate
          text={t.doneLead}
          parts={{
            app: <UntrustedName name={app.name} />,
            store: <UntrustedName name={store?.name ?? trial.alias} />,
          }}
        />
      </p>
      <CopyableCode
        language={language}
        label={t.response}
        value={JSON.stringify({ ...reply, refresh_token: '...' }, undefined, 2)}
      />
      <p>{t.hidden}</p>
      <CopyableCode language={language} label={t.call} value={call} />
      <p class="actions">
        <a class="button" href={appPaths.app(app.client_id)}>
          {t.back}
        </a>
      </p>
    </DashboardLayout>
  );
}
