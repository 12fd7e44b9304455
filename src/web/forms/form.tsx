import type { Context, Hono } from 'hono';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type * as z from 'zod';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import {
  type FieldErrors,
  ForeignFormError,
  methodNotAllowed,
  ValidationError,
} from '../../base/errors.ts';
import { type MemberRole, memberRoles } from '../../base/roles.ts';
import type { SessionUser } from '../../data/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { validated, validator } from '../../http/hono-adapter.ts';
import type { FormError, FormProps } from '../components/form-fields.tsx';
import { formatWaitingTime } from '../components/time.tsx';
import { showFormTokenErrorPage } from '../error-pages.tsx';
import {
  PublicPage,
  type SignedInPage,
  type PageInit,
  type Shown,
  type UserPage,
  type Part,
} from '../page.ts';
import { identifyBrowser } from '../sign-in/browser-session.ts';
import type { Messages } from '../texts/en/messages.ts';
import {
  countForm,
  limitMails,
  type Wait,
  limitsOf,
  sendsMail,
  type ChosenLimit,
  type FormLimit,
} from './form-limits.ts';
import { DashboardFormPage, NarrowFormPage, type FormView } from './form-page.tsx';
import { FormToken, type ReceivedForm, receiveForm, ShownOnce } from './received-form.ts';

/**
 * The reason why a form is shown again: errors of fields (422 unless it says so), or a wait (429,
 * 503).
 */
export type Refusal<Note = never> =
  | Wait
  | {
      errors?: readonly FormError[];
      status?: 409 | 422 | 429;
      headers?: Record<string, string>;
      /** Data for the view, such as why no ping was sent. */
      note?: Note;
    };

/** The state of a form without a subject. */
export type NoState = Readonly<Record<string, never>>;

type MaybePromise<T> = T | Promise<T>;

/**
 * Properties of every form. `Page` is the request, `State` the subject of the form, `Values` the
 * values of its fields.
 */
interface FormBase<Page extends PublicPage, State, Values, Note> {
  path: string;
  /**
   * The limit of how often the form is sent. The values decide where a form has several buttons.
   */
  limit: FormLimit | ChosenLimit<Values>;
  /**
   * The field with the address that a form with a limit of mails writes to; `email` unless given.
   */
  mailField?: string;
  /** The address, where no field has it. */
  mailTo?: (page: Page) => Promise<string>;
  /** The page and its form. Either this or `render`. */
  view?: (page: Page, state: State, note?: Note) => FormView;
  /** Renders a page that has more than a form. */
  render?: (page: Page, state: State, form: FormProps, note?: Note) => JSX.Element;
}

/** A form of signed-in users. */
interface UserForm<State, Values, Note> extends FormBase<SignedInPage, State, Values, Note> {
  /**
   * The role that may submit it: every user, the team of a partner, operators, or members of the
   * store of `:alias` from a role on.
   */
  role: 'user' | 'partner' | 'operator' | MemberRole;
  /** A lesser role that sees the page. */
  showRole?: MemberRole;
  /** Whether the page also opens for a store that is inactive. */
  opensInactive?: boolean;
  /**
   * Requires a new proof of identity to send it, unless the user gave one within ten minutes; what
   * was typed is kept. `toShow` asks before the page, which shows a secret or takes what is not
   * kept, and `withSecondFactor` where the form has the password.
   */
  proof?: UserPage['needsProof'];
  /** The part of the navigation. */
  part: Part;
  /** The largest file that it takes, in bytes; it takes none unless given. */
  maxFileBytes?: number;
  /**
   * Loads the state for showing the page, also after an error (`sent`). A response replaces the
   * page.
   */
  load?: (page: SignedInPage, sent?: URLSearchParams) => MaybePromise<State | Response>;
  /**
   * The fields, with an error of each in the language of the page. Absent for a form with a button
   * only.
   */
  fields?: (messages: Messages, page: SignedInPage) => z.ZodType<Values>;
  submit: (page: SignedInPage, values: Values) => Promise<Response | Refusal<Note>>;
}

const hasStoreRole = (role: string): role is MemberRole =>
  (memberRoles as readonly string[]).includes(role);

/**
 * Builds a page of signed-in users from a form. `GET` shows it and changes nothing; `POST` counts
 * it, checks its fields and submits it. Form token, session, role and proof are checked before, by
 * `mountUserPages`.
 */
export function userForm<State = undefined, Values = NoState, Note = never>(
  form: UserForm<State, Values, Note>,
): UserPage {
  const { path, role, part, load, view, render } = form;

  const show = async (
    page: SignedInPage,
    { sent, refusal }: { sent?: URLSearchParams; refusal?: Refusal<Note> } = {},
  ): Promise<Shown> => {
    const kept = sent ? undefined : await takeKept(page);
    const typed = sent ?? (kept?.size ? kept : undefined);
    // Without `load` there is no state.
    const state = load ? await load(page, typed) : (undefined as State);
    if (state instanceof Response) return state;
    const props: FormProps = {
      action: page.path,
      formToken: await sealUserToken(page),
      errors: kept
        ? [{ text: page.messages.common[kept.size ? 'kept' : 'notDone'] }]
        : errorsOf(refusal, page),
      sent: typed,
    };
    const note = noteOf(refusal);
    const init = refusal && initOf(refusal);
    if (render) return page.render(render(page, state, props, note), init);
    const content = viewOf(view, page, state, note);
    const { refreshSeconds: seconds } = content;
    const headers = { ...init?.headers, ...(seconds && { Refresh: String(seconds) }) };
    const dashboard = page.dashboard(part);
    return page.render(<DashboardFormPage {...{ dashboard }} view={content} form={props} />, {
      ...init,
      headers,
    });
  };

  return {
    path,
    ...(hasStoreRole(role) && { role: form.showRole ?? role, submitRole: role }),
    ...(form.opensInactive && { opensInactive: true }),
    ...(role === 'operator' && { isForOperators: true }),
    ...(form.proof && { needsProof: form.proof }),
    ...(form.maxFileBytes !== undefined && { maxFileBytes: form.maxFileBytes }),
    show: (page) => show(page),
    limits: limitsOf(form.limit),
    onSubmit: async (page, sent) => {
      const again = async (refusal: Refusal<Note>) =>
        toResponse(page, await show(page, { sent, refusal }));
      const { limit } = form;
      const { mailTo, mailField } = form;
      const schema = form.fields?.(page.messages, page);
      const submit = (values: Values) => form.submit(page, values);
      return receive<Values, Note>(page, {
        user: page.user,
        limit,
        mailTo: mailTo && (() => mailTo(page)),
        mailField,
        schema,
        again,
        submit,
      });
    },
  };
}

/** A question before an action, with a button that starts it. */
interface Confirmation<State, Values, Note> extends Omit<
  UserForm<State, Values, Note>,
  'view' | 'render'
> {
  ask: (page: SignedInPage, state: State, note?: Note) => Question;
}

/**
 * The content of a confirmation: the consequences in `paragraphs`. The title is the text of the
 * button unless there is one.
 */
type Question = Omit<FormView, 'title' | 'heading' | 'submit'> & {
  title?: string;
  question: Exclude<FormView['heading'], undefined>;
  submit: string;
};

/**
 * Builds a page that asks before an action that ends something. The button is red unless the
 * question says otherwise.
 */
export const confirmation = <State = undefined, Values = NoState, Note = never>({
  ask,
  ...form
}: Confirmation<State, Values, Note>): UserPage =>
  userForm<State, Values, Note>({
    ...form,
    view: (page, state, note) => {
      const { question, title, ...view } = ask(page, state, note);
      return { isDangerous: true, ...view, title: title ?? view.submit, heading: question };
    },
  });

/**
 * A form of a browser without a session, such as the one behind the link of a mail. Its form token
 * carries the state.
 */
interface PublicFormSpec<State, Values, Note, Page extends PublicPage> extends FormBase<
  Page,
  State,
  Values,
  Note
> {
  role: 'public';
  /** Separates its form token from those of other forms. */
  purpose: string;
  /** How long the form can be sent, in milliseconds; an hour unless given. */
  lifetimeMs?: number;
  /** The time at which the form expires, where the state has one. */
  expiresAt?: (state: State) => number;
  /** The path that opens an expired form again, if that is not `path`. */
  againPath?: (state: State) => string;
  /** The path of the switch of the language; no switch after an error unless it returns one. */
  languagePath?: (
    page: Page,
    state: State,
    refusal: Refusal<Note> | undefined,
  ) => string | undefined;
  /** Returns a response instead of the form, where a deployment has no such form. */
  isClosed?: (page: PublicPage) => MaybePromise<Response> | undefined;
  /**
   * The fields, with an error of each in the language of the page. Absent for a form with a button
   * only.
   */
  fields?: (messages: Messages, page: PublicPage, state: State) => z.ZodType<Values>;
  /**
   * Loads the state of the form for `GET`. Without it, other pages show the form. A response
   * replaces the form.
   */
  load?: (page: Page) => MaybePromise<State | Response>;
  submit: (page: PublicPage, values: Values, state: State) => Promise<Response | Refusal<Note>>;
  /** Origins that the form may redirect to, besides this one. */
  targets?: (state: State, note?: Note) => readonly string[];
}

/** Where a public form is sent to, and the limits that it can have. */
export interface PublicFormLimits {
  path: string;
  limits: readonly FormLimit[];
}

/** A public form as other pages use it. */
export interface PublicForm<State, Note, Page extends PublicPage> extends PublicFormLimits {
  /** Mounts the form: `GET` if it loads its state itself, `POST`, and a 405 for other methods. */
  mount: (pages: Hono<AppEnv>) => void;
  /** Shows the form, also in the place of another page. */
  show: (
    page: Page,
    state: State,
    again?: { sent?: URLSearchParams; refusal?: Refusal<Note>; note?: Note },
  ) => Promise<Response>;
  /** Seals the token of a form that another page holds. */
  seal: (page: PublicPage, state: State) => Promise<string>;
  /** Handles the form that was sent. */
  handle: (c: Context<AppEnv>) => Promise<Response>;
}

/**
 * Builds a form for browsers without a session. `POST` works with the form token of this browser
 * only.
 */
export function publicForm<
  State extends object,
  Values = NoState,
  Note = never,
  Page extends PublicPage = PublicPage,
>(form: PublicFormSpec<State, Values, Note, Page>): PublicForm<State, Note, Page> {
  const { path, purpose, againPath, load, view, render, lifetimeMs = sessionLifetimes.form } = form;
  const token = new FormToken<State>(purpose);
  const languagePath =
    form.languagePath ?? ((page, _state, refusal) => (refusal ? undefined : page.address));

  const seal = (page: PublicPage, state: State) =>
    token.seal(
      page.settings,
      page.browser,
      state,
      form.expiresAt?.(state) ?? page.now + lifetimeMs,
    );

  const show: PublicForm<State, Note, Page>['show'] = async (
    page,
    state,
    { sent, refusal, note = noteOf(refusal) } = {},
  ) => {
    const props: FormProps = {
      action: path.includes(':') ? page.path : path,
      formToken: await seal(page, state),
      errors: errorsOf(refusal, page),
      sent,
    };
    const shown = render ? (
      render(page, state, props, note)
    ) : (
      <NarrowFormPage
        layout={page.layout(languagePath(page, state, refusal))}
        view={viewOf(view, page, state, note)}
        form={props}
      />
    );
    return page.render(shown, {
      formTargets: form.targets?.(state, note) ?? [],
      ...(refusal && initOf(refusal)),
    });
  };

  const handle = async (c: Context<AppEnv>) => {
    const received = receiveForm(c);
    // Forms of users who are signed in open the session in `submit`.
    const page = new PublicPage(c, await identifyBrowser(c), Date.now()) as Page;
    const opened = await received.open(token, page);
    if ('error' in opened) {
      const { error, data } = opened;
      const again = error === 'expired' && data && againPath ? againPath(data) : path;
      return showFormTokenErrorPage(c, error, again);
    }
    const closed = form.isClosed?.(page);
    if (closed) return closed;
    const state = opened.data;
    const sent = await received.read();
    return receive<Values, Note>(page, {
      limit: form.limit,
      schema: form.fields?.(page.messages, page, state),
      again: (refusal) => show(page, state, { sent, refusal }),
      submit: (values) => form.submit(page, values, state),
    });
  };

  const mount = (pages: Hono<AppEnv>) => {
    if (load) {
      pages.get(path, async (c) => {
        const page = new PublicPage(c, await identifyBrowser(c), Date.now()) as Page;
        const closed = form.isClosed?.(page);
        if (closed) return closed;
        const state = await load(page);
        return state instanceof Response ? state : show(page, state);
      });
    }
    pages.post(path, handle);
    pages.all(path, () => {
      throw methodNotAllowed(load ? 'GET, HEAD, POST' : 'POST');
    });
  };

  return { path, limits: limitsOf(form.limit), mount, show, seal, handle };
}

/** A submitted form, and its continuation. */
interface Receipt<Values, Note> {
  /** Absent for a browser without a session. */
  user?: SessionUser;
  limit: FormLimit | ChosenLimit<Values>;
  mailTo?: (() => Promise<string>) | undefined;
  mailField?: string | undefined;
  schema: z.ZodType<Values> | undefined;
  /** Shows the form again with its errors. */
  again: (refusal: Refusal<Note>) => Promise<Response>;
  submit: (values: Values) => Promise<Response | Refusal<Note>>;
}

/** Counts a form, checks its fields and submits it. */
async function receive<Values, Note>(
  page: PublicPage,
  { user, limit, mailTo, mailField = 'email', schema, again, submit }: Receipt<Values, Note>,
): Promise<Response> {
  if (typeof limit === 'string') await countForm(page, user?.id, limit, 'every');

  const accept = async (values: Values) => {
    const name = typeof limit === 'string' ? limit : limit.choose(values);
    // A limit that the values chose was not counted before.
    if (typeof limit !== 'string') await countForm(page, user?.id, name, 'every');
    await countForm(page, user?.id, name, 'valid');
    const wait =
      sendsMail(name) &&
      (await limitMails(page, mailTo ? await mailTo() : addressIn(values, mailField), user));
    const result = wait ? { ...wait, field: mailField } : await submit(values);
    return result instanceof Response ? result : again(result);
  };

  // A form without fields has no values.
  if (!schema) return accept({} as Values);
  const validate = validator('form', schema, (errors) => new ValidationError(errors));
  let values: Values;
  try {
    // The schema has checked it.
    values = (await validated(page.c, 'form', validate)) as Values;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return again({ errors: toFormErrors(error.errors) });
  }
  return accept(values);
}

/** The messages of a form with the names of their fields; `body` is the form as a whole. */
const toFormErrors = (errors: FieldErrors): FormError[] =>
  Object.entries(errors).flatMap(([path, texts]) => {
    const [field = ''] = path.split('.');
    return texts.map((text) => (path === 'body' ? { text } : { text, field }));
  });

/** The address in a field of a form whose limit is that of mails. */
function addressIn(values: unknown, field: string): string {
  const sent = new Map(Object.entries(values ?? {})).get(field);
  if (typeof sent === 'string') return sent;
  throw new Error(`a form that sends a mail has the field ${field}`);
}

function viewOf<Page, State, Note>(
  view: ((page: Page, state: State, note?: Note) => FormView) | undefined,
  page: Page,
  state: State,
  note: Note | undefined,
): FormView {
  if (!view) throw new Error('a form has a view');
  return view(page, state, note);
}

const noteOf = <Note,>(refusal: Refusal<Note> | undefined): Note | undefined =>
  refusal && 'note' in refusal ? refusal.note : undefined;

/** The errors that the form shows. */
function errorsOf(
  refusal: Refusal<unknown> | undefined,
  { language, messages }: PublicPage,
): readonly FormError[] {
  if (!refusal) return [];
  if (!('kind' in refusal)) return refusal.errors ?? [];
  const { kind, seconds, field } = refusal;
  const text = messages.signIn[kind].replace('{time}', formatWaitingTime(language, seconds));
  return [{ text, ...(field !== undefined && { field }) }];
}

/** The status of the page, and its headers. */
function initOf(refusal: Refusal<unknown>): PageInit {
  if (!('kind' in refusal))
    return { status: refusal.status ?? 422, headers: refusal.headers ?? {} };
  const headers = { 'Retry-After': String(refusal.seconds) };
  return { status: refusal.kind === 'busy' ? 503 : 429, headers };
}

/** Builds the response of a page. */
export const toResponse = async (page: PublicPage, shown: Shown): Promise<Response> =>
  shown instanceof Response ? shown : page.render(shown);

interface UserFormState {
  /** The path that the form posts to. The token is valid for no other path. */
  action: string;
  /** The user that the page was shown to. */
  userId: number;
}

const userFormToken = new FormToken<UserFormState>('signed-in-form');

/** Seals the token of the form of a page. It posts to the path of its page. */
const sealUserToken = ({ settings, browser, now, path, user }: SignedInPage) =>
  userFormToken.seal(
    settings,
    browser,
    { action: path, userId: user.id },
    now + sessionLifetimes.form,
  );

/**
 * Refuses a form that this service did not create at this path for this browser: returns a page
 * (400, 403), or throws a 403. Nobody has seen more of it than its token. Returns `expired` for one
 * that was open for too long, or in a former session of its user.
 */
export async function refuseForm(
  page: PublicPage,
  form: ReceivedForm,
  userId: number,
): Promise<Response | 'expired' | undefined> {
  const opened = await form.open(userFormToken, page);
  if (opened.data && opened.data.action !== page.path) throw new ForeignFormError();
  if (!('error' in opened)) return undefined;
  const { error, data } = opened;
  const isFormer = error === 'foreign' && data?.userId === userId;
  return error === 'expired' || isFormer ? 'expired' : showFormTokenErrorPage(page.c, error);
}

/**
 * Holds what was typed in a form of a path. It is kept for its user, whose next session has another
 * cookie.
 */
const keptForm = new ShownOnce<{ path: string; fields: string }>(
  'kept-form',
  'kept-form',
  sessionLifetimes.form,
);

/** Fields that are not kept: secrets, the token, and the button that was pressed. */
const isUnkept = (name: string) => name === 'action' || /token|pass|secret|code|key/i.test(name);

/** A cookie has 4 KB. */
const maxKept = 2_400;

/** In bytes. A form that is as long is not read for a browser without a session. */
const maxSessionlessBytes = 16_384;

/** The request of a user in whatever session. */
const keptFor = (userId: number, { c, settings, now }: PublicPage) => ({
  c,
  settings,
  now,
  browser: { idHash: `user-${userId}` },
});

/**
 * Keeps what a user typed in a form that cannot be received now, for the page of a path. Returns
 * whether there is any.
 */
export async function keepTyped(
  page: PublicPage,
  form: URLSearchParams,
  userId: number,
  path = page.path,
): Promise<boolean> {
  const typed = [...form].filter(([name, value]) => value !== '' && !isUnkept(name));
  const fields = new URLSearchParams(typed).toString();
  const fits = fields.length <= maxKept;
  if (fits) await keptForm.stash(keptFor(userId, page), { path, fields });
  return fits && fields !== '';
}

/**
 * Keeps what was typed before the session ended, if the form is short and was made here. Returns
 * whether there is any.
 */
export async function keepSessionless(page: PublicPage, form: ReceivedForm): Promise<boolean> {
  const opened = await form.open(userFormToken, page, maxSessionlessBytes).catch(() => undefined);
  const data = opened?.data;
  return data?.action === page.path && keepTyped(page, await form.read(), data.userId);
}

/** Takes what the user typed in the form of this page before, once. */
export async function takeKept(
  page: SignedInPage,
  path = page.path,
): Promise<URLSearchParams | undefined> {
  const kept = await keptForm.take(keptFor(page.user.id, page));
  return kept?.path === path ? new URLSearchParams(kept.fields) : undefined;
}
