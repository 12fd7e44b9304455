import * as z from 'zod';
import { HttpError, notFound, TooManyStores, ValidationError } from '../../base/errors.ts';
import { browserPaths, storePaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { createStore } from '../../stores/create-store.ts';
import { editStore } from '../../stores/edit-store.ts';
import { newAlias, personOrStoreName, timeZone } from '../../stores/store-input.ts';
import type { FormError } from '../../web/components/form-fields.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { formatWaitingTime } from '../../web/components/time.tsx';
import type { FieldView } from '../../web/forms/form-page.tsx';
import { formField } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import type { PublicPage, SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { storeDonePath } from './show-store.tsx';

/** Name and time zone, as they were typed. */
const storeFields = ({ stores: { edit: t } }: Messages) => ({
  name: formField(personOrStoreName, { missing: t.nameMissing, invalid: t.nameInvalid }),
  zone: formField(timeZone, { invalid: t.zoneInvalid }),
});

const nameView = ({ stores: { edit: t } }: Messages, value?: string): FieldView => ({
  name: 'name',
  label: t.name,
  type: 'text',
  autocomplete: 'organization',
  ...(value !== undefined && { value }),
});

/** All time zones to choose from, with the one that the store has. */
const zoneView = ({ stores: { edit: t } }: Messages, zone: string): FieldView => ({
  name: 'zone',
  label: t.zone,
  hint: t.zoneHint,
  type: 'select',
  options: [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].sort(),
  value: zone,
});

/** `/account/stores/:alias/edit`: name and time zone. */
export const storeEditForm = userForm({
  path: storePaths.edit(':alias'),
  role: Role.manager,
  limit: 'pages',
  part: 'store/stores',
  fields: (messages) => z.object(storeFields(messages)),
  view: ({ messages, store: { name, zone, alias } }) => ({
    title: messages.stores.edit.title.replace('{store}', () => name),
    heading: <Interpolate text={messages.stores.edit.title} parts={{ store: <bdi>{name}</bdi> }} />,
    intro: (
      <>
        <dl class="facts">
          <dt>{messages.stores.page.alias}</dt>
          <dd>
            <code>{alias}</code>
          </dd>
        </dl>
        <p class="muted">{messages.stores.edit.aliasStays}</p>
      </>
    ),
    fields: [nameView(messages, name), zoneView(messages, zone)],
    submit: messages.stores.edit.save,
    back: storePaths.details(alias),
  }),
  async submit(page, values) {
    await editStore(page.action, page.store, values);
    return page.redirect(storeDonePath(page.store, 'saved'));
  },
});

/** Throws a 404 where users create no stores of their own. */
function requireOpenSignUp({ settings }: PublicPage): void {
  if (settings.signUp !== 'everyone') throw notFound();
}

/** `/account/new-store`, where every user may create a store: the signed-in user owns it. */
export const storeCreateForm = userForm({
  path: storePaths.create,
  role: 'user',
  limit: 'pages',
  part: 'account',
  load: requireOpenSignUp,
  fields(messages, page) {
    requireOpenSignUp(page);
    const { aliasInvalid } = messages.stores.create;
    return z.object({
      ...storeFields(messages),
      alias: formField(newAlias, { invalid: aliasInvalid }),
    });
  },
  view({ messages }) {
    const t = messages.stores.create;
    return {
      title: t.title,
      fields: [
        nameView(messages),
        { name: 'alias', label: t.alias, hint: t.aliasHint, type: 'text' },
        zoneView(messages, 'America/Sao_Paulo'),
      ],
      submit: t.submit,
      back: browserPaths.account,
    };
  },
  async submit(page, { alias, name, zone: timezone }) {
    try {
      await createStore(page.action, { alias, name, timezone, ownerId: page.user.id });
    } catch (error) {
      if (error instanceof TooManyStores) return tooMany(page, error);
      return { errors: [creationError(error, page.messages)] };
    }
    return page.redirect(storeDonePath({ alias }, 'made'));
  },
});

/**
 * The refusal of a user who has as many stores as one may have (409), or made as many today (429).
 */
function tooMany(page: SignedInPage, { seconds }: TooManyStores) {
  const t = page.messages.stores.create;
  const { perUser, perDay } = page.settings.storeLimits;
  if (seconds === undefined) {
    return {
      errors: [{ text: t.tooMany.replace('{count}', String(perUser)) }],
      status: 409,
    } as const;
  }
  const text = t.tooManyToday
    .replace('{count}', String(perDay))
    .replace('{time}', formatWaitingTime(page.language, seconds));
  return { errors: [{ text }], status: 429, headers: { 'Retry-After': String(seconds) } } as const;
}

/** Returns the error that explains why a store was not created. Throws all other errors again. */
function creationError(error: unknown, { stores: { create: t } }: Messages): FormError {
  if (error instanceof ValidationError) return { field: 'alias', text: t.aliasInvalid };
  const code = error instanceof HttpError ? error.code : undefined;
  if (code === 'alias_taken') return { field: 'alias', text: t.aliasTaken };
  if (code === 'no_room') return { text: t.noRoom };
  throw error;
}
