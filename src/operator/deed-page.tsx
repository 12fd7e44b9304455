import type { Context } from 'hono';
import { cleanFormLine } from '../codecs/fields/normalize-text.ts';
import { type FieldErrors, HttpError, ValidationError } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { TextField } from '../pages/components/form-fields.tsx';
import { Interpolate } from '../pages/components/text.tsx';
import type { Messages } from '../pages/i18n/en/messages.ts';
import { messagesFor } from '../pages/i18n/messages.ts';
import { ConfirmPage } from '../pages/layout/confirm-page.tsx';
import { pageDeed } from '../session/pages/page-deed.ts';
import { renderPage } from '../session/pages/render-page.ts';
import { sealFormToken, type PageContext, type UserPage } from '../session/pages/user-pages.ts';
import { buildOperatorProps, type OperatorTab } from './dashboard.ts';
import type { DeedValues, PageDeed } from './deeds/page-deed.ts';

/** The record that a deed is about. */
interface Target {
  id: number;
  name: string;
  /** Where the page leads back to. */
  back: string;
  /** The store of a member. */
  storeId?: number;
}

/** Loads the record of the path. Throws a 404. */
type LoadTarget = (c: Context<AppEnv>, context: PageContext) => Promise<Target>;

const maxReason = 500;

type FormErrors = Messages['operator']['forms']['errors'];

/** What was wrong with a submitted form. */
interface Problem {
  refused?: keyof Messages['operator']['refused'];
  reason?: 'missing' | 'long';
  fields: readonly string[];
}

/** The page of a deed: it asks, takes the reason, and says what is in the way. */
export function deedPage(
  path: string,
  tab: OperatorTab,
  deed: PageDeed,
  load: LoadTarget,
): UserPage {
  return {
    path,
    isForOperators: true,
    needsProof: deed.endsSomething,
    show: async (c, context) => {
      const initial = (deed.fields ?? []).map(({ name, initial = '' }) => [name, initial]);
      return showDeed(c, context, { tab, deed, load, values: Object.fromEntries(initial) });
    },
    onSubmit: async (c, context, form) => {
      const values = Object.fromEntries(
        [...(deed.fields ?? []).map(({ name }) => name), 'reason'].map((name) => [
          name,
          form.get(name)?.trim() ?? '',
        ]),
      );
      const target = await load(c, context);
      const problem = await runDeed(c, context, deed, target, values);
      if (!problem) return c.redirect(`${target.back}?done=done`, 303);
      return showDeed(c, context, { tab, deed, load, values, problem });
    },
  };
}

async function runDeed(
  c: Context<AppEnv>,
  context: PageContext,
  deed: PageDeed,
  { id, storeId }: Target,
  values: DeedValues,
): Promise<Problem | undefined> {
  const sent = values['reason'] ?? '';
  const reason = cleanFormLine(sent, maxReason);
  if (deed.endsSomething && (reason === undefined || reason === '')) {
    return { reason: sent === '' || reason === '' ? 'missing' : 'long', fields: [] };
  }
  try {
    const sentValues = { ...values, reason: reason ?? '' };
    const refused = await deed.run(pageDeed(c, context, 'operator'), id, sentValues, storeId);
    return refused === undefined ? undefined : { refused, fields: [] };
  } catch (error) {
    return findProblem(error);
  }
}

/** Turns what a deed threw into what the page says. Throws everything else again. */
export function findProblem(error: unknown): Problem {
  const texts = messagesFor('en').operator;
  const errors: FieldErrors | undefined =
    error instanceof ValidationError || error instanceof HttpError ? error.errors : undefined;
  const fields = Object.keys(errors ?? {}).filter((name) =>
    Object.hasOwn(texts.forms.errors, name),
  );
  if (error instanceof ValidationError) {
    return fields.length > 0 ? { fields } : { refused: 'other', fields };
  }
  if (!(error instanceof HttpError) || (error.status !== 409 && error.status !== 422)) throw error;
  // The code of an error is a key where there is a sentence for it.
  const isKnown = Object.hasOwn(texts.refused, error.code);
  const refused = isKnown ? (error.code as keyof typeof texts.refused) : ('other' as const);
  return fields.length > 0 && error.status === 422 ? { fields } : { refused, fields: [] };
}

/** The sentences for the fields that are wrong. */
export const fieldError = (fields: readonly string[], name: string, errors: FormErrors) =>
  fields.includes(name) ? errors[name as keyof FormErrors] : undefined;

async function showDeed(
  c: Context<AppEnv>,
  context: PageContext,
  view: {
    tab: OperatorTab;
    deed: PageDeed;
    load: LoadTarget;
    values: DeedValues;
    problem?: Problem;
  },
) {
  const { tab, deed, values, problem } = view;
  const { name, back } = await view.load(c, context);
  const action = c.req.path;
  const dashboard = buildOperatorProps(c, context, tab, action);
  const { forms, refused, deeds } = messagesFor(dashboard.layout.language).operator;
  const t = deeds[deed.text];
  const wrong = problem?.fields ?? [];
  const page = (
    <ConfirmPage
      {...{ dashboard, action, back }}
      title={t.link}
      question={<Interpolate text={t.question} parts={{ name: <bdi>{name}</bdi> }} />}
      paragraphs={[t.lead]}
      formToken={await sealFormToken(c, context, action)}
      submit={t.link}
      isDangerous={deed.isDangerous === true}
      error={problem?.refused && refused[problem.refused]}
      reason={
        deed.endsSomething ? { value: values['reason'] ?? '', error: problem?.reason } : undefined
      }
      fields={(deed.fields ?? []).map((field) => (
        <TextField
          name={field.name}
          type={field.type}
          autocomplete="off"
          label={forms[field.label]}
          hint={field.hint && forms[field.hint]}
          value={values[field.name] ?? ''}
          error={fieldError(wrong, field.name, forms.errors)}
        />
      ))}
    />
  );
  const status = problem === undefined ? 200 : problem.refused === undefined ? 422 : 409;
  return renderPage(c, page, { status });
}
