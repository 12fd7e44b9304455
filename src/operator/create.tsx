import type { Context } from 'hono';
import { defaultZone } from '../codecs/time/zone.ts';
import type { AppEnv } from '../http/app-env.ts';
import { messagesFor } from '../pages/i18n/messages.ts';
import { DashboardFormPage, type FieldView } from '../pages/security/form-page.tsx';
import { createStore } from '../people/stores/create-store.ts';
import { createUser } from '../people/users/create-user.ts';
import { detectLanguage } from '../session/pages/language.ts';
import { pageDeed } from '../session/pages/page-deed.ts';
import { renderPage } from '../session/pages/render-page.ts';
import { sealFormToken, type PageContext, type UserPage } from '../session/pages/user-pages.ts';
import { buildOperatorProps } from './dashboard.ts';
import { fieldError, findProblem } from './deed-page.tsx';
import { operatorPaths } from './paths.ts';

type Kind = 'stores' | 'users';

type Values = Readonly<Record<string, string>>;

const fieldNames = {
  stores: ['alias', 'name', 'timezone', 'owner_email', 'region'],
  users: ['name', 'email'],
} as const;

/** The forms that make a store and a user. */
export const createPages: readonly UserPage[] = (['stores', 'users'] as const).map((kind) => ({
  path: kind === 'stores' ? operatorPaths.newStore : operatorPaths.newUser,
  isForOperators: true,
  show: (c, context) => showForm(c, context, kind, { timezone: defaultZone }),
  onSubmit: async (c, context, form) => {
    const values = Object.fromEntries(
      fieldNames[kind].map((name) => [name, form.get(name)?.trim() ?? '']),
    );
    try {
      return c.redirect(`${await make(c, context, kind, values)}?done=done`, 303);
    } catch (error) {
      return showForm(c, context, kind, values, findProblem(error));
    }
  },
}));

/** Returns the page of what was made. */
async function make(c: Context<AppEnv>, context: PageContext, kind: Kind, values: Values) {
  const deed = pageDeed(c, context, 'operator');
  const language = detectLanguage(c, context.session.user.language);
  const { name = '' } = values;
  if (kind === 'users') {
    const { user } = await createUser(deed, { name, email: values['email'] ?? '', language });
    return operatorPaths.user(user.id);
  }
  const { store } = await createStore(deed, {
    alias: values['alias'] ?? '',
    name,
    timezone: values['timezone'] ?? '',
    ownerEmail: values['owner_email'] ?? '',
    region: values['region'] === '' ? undefined : values['region'],
    language,
  });
  return operatorPaths.store(store.id);
}

async function showForm(
  c: Context<AppEnv>,
  context: PageContext,
  kind: Kind,
  values: Values,
  problem?: ReturnType<typeof findProblem>,
) {
  const action = c.req.path;
  const dashboard = buildOperatorProps(c, context, kind, action);
  const { account, operator: t } = messagesFor(dashboard.layout.language);
  const { forms, refused } = t;
  const labels = {
    alias: [forms.alias, forms.aliasHint],
    name: [forms.name],
    timezone: [forms.timezone, forms.timezoneHint],
    owner_email: [forms.owner, forms.ownerHint],
    region: [forms.region],
    email: [forms.email],
  } as const;
  const fields: FieldView[] = fieldNames[kind].map((name) => {
    const [label, hint] = labels[name];
    return {
      name,
      label,
      type: name === 'email' || name === 'owner_email' ? 'email' : 'text',
      autocomplete: 'off',
      value: values[name] ?? '',
      ...(hint !== undefined && { hint }),
    };
  });
  const errors = [
    ...(problem?.refused === undefined ? [] : [{ text: refused[problem.refused] }]),
    ...fieldNames[kind].flatMap((field) => {
      const text = fieldError(problem?.fields ?? [], field, forms.errors);
      return text === undefined ? [] : [{ field, text }];
    }),
  ];
  const title = t[kind].create;
  const page = (
    <DashboardFormPage
      {...{ dashboard, action, title, fields, errors }}
      paragraphs={kind === 'users' ? [forms.userLead] : []}
      formToken={await sealFormToken(c, context, action)}
      submit={title}
      back={{ href: operatorPaths[kind], text: account.cancel }}
    />
  );
  return renderPage(c, page, {
    status: problem === undefined ? 200 : problem.refused === undefined ? 422 : 409,
  });
}
