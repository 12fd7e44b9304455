import type { Child, PropsWithChildren } from 'hono/jsx';
import type { Language } from '../../base/languages.ts';
import type { Asset } from '../assets/assets.ts';
import {
  CheckboxField,
  RadioField,
  SelectField,
  SingleCheckbox,
  type AllChoice,
  type Choice,
} from '../components/choice-fields.tsx';
import { DashboardLayout, type DashboardProps } from '../components/dashboard-layout.tsx';
import {
  ErrorSummary,
  FileField,
  FormTokenInput,
  TextArea,
  TextField,
  type FormError,
  type FormProps,
} from '../components/form-fields.tsx';
import { FlashMessage } from '../components/inline-text.tsx';
import { NarrowLayout, type LayoutProps } from '../components/narrow-layout.tsx';
import { messagesFor } from '../texts/messages.ts';

/** Names the account of a password to password managers; it is invisible and cannot be focused. */
const UsernameField = ({ username, label }: { username: string; label: string }) => (
  <input
    type="text"
    class="visually-hidden"
    value={username}
    autocomplete="username"
    readonly
    tabindex={-1}
    aria-label={label}
  />
);

interface Field {
  name: string;
  label: string;
  hint?: string | undefined;
  /** It may be left empty. */
  isOptional?: boolean;
}

/**
 * A field of a form. `value` is its value before the form is sent; afterwards the submitted value
 * replaces it.
 */
export type FieldView =
  | (Field & {
      type: 'text' | 'email' | 'url';
      /** An autofill token of the HTML standard; `off` unless given. */
      autocomplete?: string;
      value?: string;
    })
  /** A secret is never sent back. */
  | (Field & { type: 'password' | 'code'; autocomplete: string })
  | (Field & { type: 'textarea'; value?: string })
  /** `accept` names the extensions that the browser proposes. */
  | (Field & { type: 'file'; accept: string })
  | (Field & {
      type: 'select';
      options: readonly (string | { value: string; text: string })[];
      value?: string;
    })
  | (Omit<Field, 'label'> & {
      type: 'radio';
      label: Child;
      options: readonly Choice[];
      value?: string | undefined;
    })
  | (Field & {
      type: 'checkboxes';
      options?: readonly Choice[];
      /** Options below headings, instead of `options`. */
      groups?: readonly { label: string; options: readonly Choice[] }[];
      /** Offers all options at once, with the value `all`. */
      whole?: AllChoice;
      value?: readonly string[];
    })
  /** One box to tick (`ticked`). */
  | (Field & { type: 'checkbox'; isTicked?: boolean })
  /** A field of the page's own, which shows the submitted value by itself. */
  | {
      type: 'own';
      name: string;
      content: (
        error: string | undefined,
        sent: URLSearchParams | undefined,
      ) => Child | Promise<Child>;
    };

/** A button of a form; its name and value identify it in the submitted form. */
interface Button {
  text: string;
  name?: string;
  value?: string;
}

/** A page with one form: its texts and its fields. */
export interface FormView {
  /** The title of the window, and the heading unless `heading` is another. */
  title: string;
  heading?: Child;
  /** The outcome of the previous form. */
  flash?: string | undefined;
  /** An obstacle to the purpose of the form, such as missing mail. */
  problem?: string | undefined;
  paragraphs?: readonly Child[];
  /** Further content above the form. */
  intro?: Child;
  fields?: readonly FieldView[];
  /** Hidden fields besides the form token. */
  hidden?: Readonly<Record<string, string>>;
  /** For password managers: the account whose password the form sets. */
  username?: string;
  /** A muted line above the buttons. */
  note?: string;
  /** Absent where the form cannot be sent now: then the page has no form. */
  submit?: string | Button;
  /** Whether the last field, of the page's own, is the button, in place of `submit`. */
  hasOwnButton?: boolean;
  isDangerous?: boolean;
  /** The link that leaves the form: an address, for Cancel, or a link with its text. */
  back?: string | { href: string; text: string };
  /** An example or a preview: beside the form on a wide screen, else below it. */
  beside?: { title: string; content: Child };
  /** Further content below the form. */
  after?: Child;
  /** Links at the end. */
  links?: readonly { href: string; text: string }[];
  /** Whether the fields need more than a narrow column. */
  isWide?: boolean;
  scripts?: readonly Asset[];
  /** The browser loads the page again after so many seconds. */
  refreshSeconds?: number | undefined;
}

/**
 * A page with one column and one form, for a browser that is not signed in, or must prove who it
 * is.
 */
export const NarrowFormPage = ({
  layout,
  view,
  form,
}: {
  layout: LayoutProps;
  view: FormView;
  form: FormProps;
}) => (
  <NarrowLayout {...layout} title={view.title} scripts={view.scripts ?? []}>
    <FormContent {...{ view, form }} language={layout.language} isNarrow />
  </NarrowLayout>
);

/** A page of a signed-in user with one form. */
export const DashboardFormPage = ({
  dashboard,
  view,
  form,
}: {
  dashboard: DashboardProps;
  view: FormView;
  form: FormProps;
}) => (
  <DashboardLayout {...dashboard} title={view.title} scripts={view.scripts ?? []}>
    <FormContent {...{ view, form }} language={dashboard.layout.language} />
  </DashboardLayout>
);

const FormContent = ({
  view,
  form,
  language,
  isNarrow = false,
}: {
  view: FormView;
  form: FormProps;
  language: Language;
  isNarrow?: boolean;
}) => {
  const place = ({ field }: FormError) =>
    view.fields?.findIndex(({ name }) => name === field) ?? -1;
  // An address is checked late, yet stands above other fields.
  const errors = form.errors.toSorted((one, other) => place(one) - place(other));
  const ownButton = view.hasOwnButton ? view.fields?.at(-1) : undefined;
  const hasNarrowForm = !isNarrow && !view.isWide;
  return (
    <>
      <h1>{view.heading ?? view.title}</h1>
      {errors.length > 0 && (
        <ErrorSummary title={messagesFor(language).errorSummary} errors={errors} />
      )}
      <FlashMessage text={errors.length > 0 ? undefined : view.flash} />
      <FlashMessage text={view.problem} isProblem />
      {view.paragraphs?.map((paragraph) => (
        <p>{paragraph}</p>
      ))}
      {view.intro}
      {view.submit === undefined ? (
        <Buttons {...{ view, language, isNarrow }} />
      ) : (
        <Beside {...view}>
          <form
            method="post"
            action={form.action}
            class={hasNarrowForm ? 'narrow' : undefined}
            enctype={
              view.fields?.some(({ type }) => type === 'file') ? 'multipart/form-data' : undefined
            }
            novalidate
          >
            <FormTokenInput formToken={form.formToken} />
            {Object.entries(view.hidden ?? {}).map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            {view.username !== undefined && (
              <UsernameField username={view.username} label={messagesFor(language).signIn.email} />
            )}
            {view.fields?.map((field) => field !== ownButton && <FieldOf {...{ field, form }} />)}
            {view.note !== undefined && <p class="muted">{view.note}</p>}
            <Buttons {...{ view, language, isNarrow }}>
              {ownButton && <FieldOf field={ownButton} form={form} />}
            </Buttons>
          </form>
        </Beside>
      )}
      {view.after}
      {view.links?.map(({ href, text }) => (
        <p>
          <a class="target" href={href}>
            {text}
          </a>
        </p>
      ))}
    </>
  );
};

/** A form, with what stands beside it. */
const Beside = ({ beside, children }: PropsWithChildren<Pick<FormView, 'beside'>>) =>
  beside ? (
    <div class="halves">
      {children}
      <aside>
        <h2>{beside.title}</h2>
        {beside.content}
      </aside>
    </div>
  ) : (
    <>{children}</>
  );

/** A field with its submitted value, else with its first value, and its errors. */
const FieldOf = ({ field, form: { sent, errors } }: { field: FieldView; form: FormProps }) => {
  const error =
    errors
      .filter((one) => one.field === field.name)
      .map(({ text }) => text)
      .join('\n') || undefined;
  const typed = sent?.get(field.name) ?? (sent ? '' : undefined);
  switch (field.type) {
    case 'own':
      return <>{field.content(error, sent)}</>;
    case 'password':
    case 'code':
      return (
        <TextField {...field} type={field.type === 'code' ? 'text' : 'password'} error={error} />
      );
    case 'textarea':
      return <TextArea {...field} error={error} value={typed ?? field.value ?? ''} />;
    case 'file':
      return <FileField {...field} error={error} />;
    case 'select':
      return <SelectField {...field} error={error} value={typed ?? field.value ?? ''} />;
    case 'checkbox':
      return <SingleCheckbox {...field} isTicked={sent ? typed === 'yes' : !!field.isTicked} />;
    case 'radio':
      return <RadioField {...field} error={error} value={sent ? typed : field.value} />;
    case 'checkboxes':
      return (
        <CheckboxField
          {...field}
          error={error}
          chosen={sent?.getAll(field.name) ?? field.value ?? []}
        />
      );
    default:
      return (
        <TextField
          {...field}
          autocomplete={field.autocomplete ?? 'off'}
          error={error}
          value={typed ?? field.value ?? ''}
        />
      );
  }
};

/** The end of a form: the link that leaves it, and its button. */
const Buttons = ({
  view: { back, submit, isDangerous, hasOwnButton = false },
  language,
  isNarrow,
  children,
}: PropsWithChildren<{
  view: FormView;
  language: Language;
  isNarrow: boolean;
}>) => {
  const link =
    typeof back === 'string' ? { href: back, text: messagesFor(language).account.cancel } : back;
  const button = typeof submit === 'string' ? { text: submit } : submit;
  return (
    <div class={isNarrow ? 'actions wide' : 'actions'}>
      {link && (
        <a class="button plain" href={link.href}>
          {link.text}
        </a>
      )}
      {button && !hasOwnButton && (
        <button name={button.name} value={button.value} class={isDangerous ? 'danger' : undefined}>
          {button.text}
        </button>
      )}
      {children}
    </div>
  );
};
