import type { Context } from 'hono';
import { isDangerousScope, scopes } from '../access/scopes.ts';
import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase } from '../db/core/open.ts';
import { addApp, type App, updateApp } from '../db/directory/apps.ts';
import { selectPartnersOf } from '../db/directory/partner-teams.ts';
import type { AppEnv } from '../http/app-env.ts';
import { generateClientId } from '../oauth/apps/client.ts';
import { type AppFormError, AppFormPage, type AppOwner } from '../pages/partners/app-form-page.tsx';
import { browserPaths } from '../session/pages/paths.ts';
import { renderPage } from '../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../session/pages/user-pages.ts';
import { settingsOf } from '../settings.ts';
import {
  type AppFormInput,
  validateAppForm,
  readAppForm,
  toAppFormInput,
} from './app-form-input.ts';
import { buildPartnerLayoutProps } from './dashboard.ts';
import { requireOwnApp } from './own-app.ts';
import { appPaths } from './paths.ts';

/** Shows the form of a new app or, with `appName`, of an existing one. Status 422 when there are errors. */
async function showAppForm(
  c: Context<AppEnv>,
  context: PageContext,
  props: {
    action: string;
    back: string;
    typed: AppFormInput;
    appName?: string;
    faults?: AppFormError[];
    owners?: readonly AppOwner[];
    owner?: string;
    self?: string;
  },
) {
  const { action, faults = [] } = props;
  const page = (
    <AppFormPage
      {...props}
      dashboard={buildPartnerLayoutProps(c, context, 'apps', action)}
      formToken={await sealFormToken(c, context, action)}
      scopes={scopes.map((scope) => ({
        scope,
        isChosen: props.typed.scopes.includes(scope),
        isDangerous: isDangerousScope(scope),
      }))}
      errors={faults}
    />
  );
  return renderPage(c, page, { status: faults.length > 0 ? 422 : 200 });
}

/**
 * The form of a new app. A member of teams chooses whom the app belongs to: the user, or the partner of a team. One round
 * trip.
 */
async function registrationFormProps(
  c: Context<AppEnv>,
  { session: { user } }: PageContext,
  form: URLSearchParams,
) {
  const partners = await withDbErrors(selectPartnersOf(openDatabase(c.env.DIRECTORY), user.id));
  const chosen = partners.find(({ id }) => String(id) === form.get('owner'));
  return {
    action: appPaths.register,
    back: browserPaths.partners,
    typed: readAppForm(form),
    owners: partners.map(({ id, name }) => ({ value: String(id), name })),
    owner: String(chosen?.id ?? user.id),
    self: String(user.id),
    ownerId: chosen?.id ?? user.id,
  };
}

/** `GET /partners/new`. */
export const showAppRegistration = async (c: Context<AppEnv>, context: PageContext) =>
  showAppForm(c, context, await registrationFormProps(c, context, new URLSearchParams()));

/** `POST /partners/new`: registers an app as a draft and generates its client id. */
export async function submitAppRegistration(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { ownerId, ...props } = await registrationFormProps(c, context, form);
  const result = validateAppForm(props.typed);
  if ('faults' in result) return showAppForm(c, context, { ...props, faults: result.faults });
  const clientId = await generateClientId(settingsOf(c.env));
  const registration = { ownerId, clientId, now: context.now };
  const isAdded = await addApp(openDatabase(c.env.DIRECTORY), registration, result.values);
  if (!isAdded) return showAppForm(c, context, { ...props, faults: [{ kind: 'tooMany' }] });
  return c.redirect(`${appPaths.app(clientId)}?done=registered`, 303);
}

const editFormProps = ({ client_id, name }: App, typed: AppFormInput) => ({
  action: appPaths.edit(client_id),
  back: appPaths.app(client_id),
  appName: name,
  typed,
});

/** `GET /partners/{client id}/edit`. */
export async function showAppEdit(c: Context<AppEnv>, context: PageContext) {
  const app = await requireOwnApp(c, context);
  return showAppForm(c, context, editFormProps(app, toAppFormInput(app)));
}

/** `POST /partners/{client id}/edit`: replaces name, publisher, redirect URIs and scopes of an app. */
export async function submitAppEdit(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const app = await requireOwnApp(c, context);
  const input = readAppForm(form);
  const result = validateAppForm(input);
  if ('faults' in result)
    return showAppForm(c, context, { ...editFormProps(app, input), faults: result.faults });
  const { client_id: clientId } = app;
  const target = { ownerId: app.owner_id, clientId, now: context.now };
  await updateApp(openDatabase(c.env.DIRECTORY), target, result.values);
  return c.redirect(`${appPaths.app(clientId)}?done=saved`, 303);
}
