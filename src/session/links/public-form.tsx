import type { Context, Hono } from 'hono';
import { methodNotAllowed } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { Messages } from '../../pages/i18n/en/messages.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { InfoPage } from '../../pages/layout/info-page.tsx';
import { NarrowFormPage, type FormView } from '../../pages/security/form-page.tsx';
import { settingsOf } from '../../settings.ts';
import { identifyBrowser, type BrowserIdentity } from '../browser-session.ts';
import { readPageForm } from '../forms/form-body.ts';
import { FormToken } from '../forms/form-token.ts';
import { sessionLifetimes } from '../lifetimes.ts';
import { showFormTokenErrorPage } from '../pages/error-pages.tsx';
import { languageParameter } from '../pages/language.ts';
import { withQueryParameter } from '../pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../pages/render-page.ts';
import { refusalErrors, refusalStatus, type Refusal } from './refusal.ts';

/** The state of a form that is about nothing in particular. */
export type NoState = Readonly<Record<string, never>>;

/** What a public form works with. */
export interface PublicFormContext {
  browser: BrowserIdentity;
  /** Epoch milliseconds. */
  now: number;
  language: Language;
  messages: Messages;
}

/** A form for somebody who is not signed in, such as the one behind the link of a mail. */
export interface PublicForm<State> {
  path: string;
  /** Separates its form token from those of other forms. */
  purpose: string;
  /** Where an expired form is opened again, if that is not `path`. */
  againPath?: (state: State) => string;
  /** Loads what the form is about, from the query; the form token carries it on. A response stands in its place. */
  load: (c: Context<AppEnv>, context: PublicFormContext) => Promise<State | Response>;
  /** What the page says and asks. `form` holds the values that were sent. */
  view: (state: State, context: PublicFormContext, form: URLSearchParams) => FormView;
  submit: (
    c: Context<AppEnv>,
    state: State,
    form: URLSearchParams,
    context: PublicFormContext,
  ) => Promise<Response | Refusal>;
}

/** Mounts a public form. `GET` shows it and changes nothing; `POST` works with the form token of this browser only. */
export function mountPublicForm<State extends object>(
  pages: Hono<AppEnv>,
  { path, purpose, againPath, load, view, submit }: PublicForm<State>,
): void {
  const token = new FormToken<State>(purpose);

  const show = async (
    c: Context<AppEnv>,
    context: PublicFormContext,
    state: State,
    { form = new URLSearchParams(), refusal }: { form?: URLSearchParams; refusal?: Refusal } = {},
  ) => {
    const { pathname, search } = new URL(c.req.url);
    const here = withQueryParameter(pathname + search, languageParameter);
    const layout = buildNarrowLayoutProps(c, refusal ? undefined : here);
    const expiresAt = context.now + sessionLifetimes.form;
    const page = (
      <NarrowFormPage
        {...view(state, context, form)}
        {...{ layout }}
        action={c.req.path}
        formToken={await token.seal(settingsOf(c.env), context.browser, state, expiresAt)}
        errors={refusal && refusalErrors(refusal, context.language)}
      />
    );
    return renderPage(c, page, refusal && refusalStatus(refusal));
  };

  pages.get(path, async (c) => {
    const context = await openContext(c);
    const state = await load(c, context);
    return state instanceof Response ? state : show(c, context, state);
  });

  pages.post(path, async (c) => {
    const form = await readPageForm(c);
    const context = await openContext(c);
    const opened = await token.open(settingsOf(c.env), context.browser, form, context.now);
    if ('error' in opened) {
      const again = opened.data && againPath ? againPath(opened.data) : path;
      return showFormTokenErrorPage(c, opened.error, again);
    }
    const result = await submit(c, opened.data, form, context);
    return result instanceof Response
      ? result
      : show(c, context, opened.data, { form, refusal: result });
  });

  pages.all(path, () => {
    throw methodNotAllowed('GET, HEAD, POST');
  });
}

async function openContext(c: Context<AppEnv>): Promise<PublicFormContext> {
  const browser = await identifyBrowser(c);
  const { language } = buildNarrowLayoutProps(c);
  return { browser, now: Date.now(), language, messages: messagesFor(language) };
}

/** Shows a page without a form in one column, such as what to do after a mail was sent. */
export function showInfo(
  c: Context<AppEnv>,
  info: { title: string; paragraphs: readonly string[]; link: { href: string; text: string } },
  { status = 200, path }: { status?: 200 | 404; path?: string } = {},
) {
  return renderPage(c, <InfoPage {...info} layout={buildNarrowLayoutProps(c, path)} />, { status });
}
