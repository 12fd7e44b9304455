import type { Context } from 'hono';
import { HttpError, ValidationError } from '../../errors.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { FormError } from '../../pages/components/form-fields.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { StoreFormPage, type TypedStore } from '../../pages/stores/store-forms.tsx';
import { findAliasProblem } from '../../people/stores/alias.ts';
import { createStore } from '../../people/stores/create-store.ts';
import { editStore } from '../../people/stores/edit-store.ts';
import { personOrStoreName, timeZone } from '../../people/stores/store-input.ts';
import { detectLanguage } from '../../session/pages/language.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { type PageContext, sealFormToken } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { storePaths } from '../paths.ts';
import { redirectToStore } from './details.tsx';
import { storeOfPage } from './store-of-page.ts';

/** The time zones of the form, with the one that the store has. */
const zonesWith = (zone: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].sort();

interface StoreForm {
  typed: TypedStore;
  errors?: readonly FormError[];
}

async function renderForm(
  c: Context<AppEnv>,
  context: PageContext,
  { typed, errors = [] }: StoreForm,
  place: { action: string; back: string; zone: string; current: 'stores' | 'account' },
) {
  const page = (
    <StoreFormPage
      dashboard={buildDashboardLayoutProps(c, context, place.current, place.action)}
      formToken={await sealFormToken(c, context, place.action)}
      zones={zonesWith(place.zone)}
      action={place.action}
      back={place.back}
      {...{ typed, errors }}
    />
  );
  return renderPage(c, page, { status: errors.length > 0 ? 422 : 200 });
}

const placeOfEdit = (context: PageContext) => {
  const { alias, zone } = storeOfPage(context);
  const [action, back] = [storePaths.edit(alias), storePaths.details(alias)];
  return { action, back, zone, current: 'stores' } as const;
};

/** Checks name and zone as they were typed. */
function checkStore(c: Context<AppEnv>, form: URLSearchParams) {
  const typed = { name: (form.get('name') ?? '').trim(), zone: form.get('zone') ?? '' };
  const t = messagesFor(detectLanguage(c)).stores.edit;
  const errors: FormError[] = [];
  if (typed.name === '') errors.push({ field: 'name', text: t.nameMissing });
  else if (!personOrStoreName.safeParse(typed.name).success) {
    errors.push({ field: 'name', text: t.nameInvalid });
  }
  if (!timeZone.safeParse(typed.zone).success) errors.push({ field: 'zone', text: t.zoneInvalid });
  return { typed, errors };
}

/** `GET /account/stores/:alias/edit`. */
export const showStoreEdit = (c: Context<AppEnv>, context: PageContext) =>
  renderForm(c, context, { typed: storeOfPage(context) }, placeOfEdit(context));

/** Changes name and time zone. */
export async function submitStoreEdit(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const store = storeOfPage(context);
  const { typed, errors } = checkStore(c, form);
  if (errors.length > 0) return renderForm(c, context, { typed, errors }, placeOfEdit(context));
  await editStore(pageDeed(c, context), store, typed);
  return redirectToStore(c, store.alias, 'saved');
}

const placeOfCreation = {
  action: storePaths.create,
  back: browserPaths.account,
  zone: 'America/Sao_Paulo',
  current: 'account',
} as const;

/** Where nobody makes a store of their own, there is no such page. */
function requireOpenSignUp(c: Context<AppEnv>): void {
  if (settingsOf(c.env).signUp !== 'everyone') throw notFound();
}

/** `GET /account/new-store`, where everyone may make a store. */
export function showStoreCreation(c: Context<AppEnv>, context: PageContext) {
  requireOpenSignUp(c);
  const typed = { name: '', alias: '', zone: placeOfCreation.zone };
  return renderForm(c, context, { typed }, placeOfCreation);
}

/** Makes a store that the signed-in user owns. */
export async function submitStoreCreation(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  requireOpenSignUp(c);
  const t = messagesFor(detectLanguage(c)).stores.create;
  const alias = (form.get('alias') ?? '').trim();
  const checked = checkStore(c, form);
  const typed = { ...checked.typed, alias };
  const errors = [...checked.errors];
  const showErrors = () => renderForm(c, context, { typed, errors }, placeOfCreation);
  if (findAliasProblem(alias) !== undefined) errors.push({ field: 'alias', text: t.aliasInvalid });
  if (errors.length > 0) return showErrors();
  const { name, zone: timezone } = typed;
  const wanted = { alias, name, timezone, ownerId: context.session.user.id };
  try {
    await createStore(pageDeed(c, context), wanted);
  } catch (error) {
    if (error instanceof HttpError && error.code === 'alias_taken') {
      errors.push({ field: 'alias', text: t.aliasTaken });
    } else if (error instanceof HttpError && error.code === 'no_room') {
      errors.push({ text: t.noRoom });
    } else if (error instanceof ValidationError)
      errors.push({ field: 'alias', text: t.aliasInvalid });
    else throw error;
    return showErrors();
  }
  return redirectToStore(c, alias, 'made');
}
