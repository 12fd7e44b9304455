import type { Child } from 'hono/jsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
} from '../components/form-fields.tsx';
import { UsernameField } from '../components/username-field.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
import { NarrowLayout, type LayoutProps } from '../layout/narrow-layout.tsx';

/** A field of a form. */
export interface FieldView {
  name: string;
  label: string;
  type: 'text' | 'email' | 'password';
  autocomplete: string;
  hint?: string;
  /** A password is never sent back. */
  value?: string;
}

/** A page with one form: what it says and asks. */
export interface FormView {
  title: string;
  paragraphs?: readonly Child[];
  fields: readonly FieldView[];
  /** For password managers: the account whose password the form sets. */
  username?: string;
  submit: string;
  isDangerous?: boolean;
  /** A link of the row of buttons, before the button. */
  back?: { href: string; text: string };
  /** Links below the form. */
  links?: readonly { href: string; text: string }[];
}

interface FormProps {
  action: string;
  /** The hidden fields, such as the form token. */
  formToken: string;
  errors?: readonly FormError[] | undefined;
}

type FormPageProps = FormView & FormProps;

/** A page with one column and one form, for somebody who is not signed in, or must prove it. */
export const NarrowFormPage = ({ layout, ...form }: FormPageProps & { layout: LayoutProps }) => (
  <NarrowLayout {...layout} title={form.title}>
    <FormContent {...form} language={layout.language} isWide />
  </NarrowLayout>
);

/** A page of a signed-in user with one form. */
export const DashboardFormPage = ({
  dashboard,
  ...form
}: FormPageProps & { dashboard: DashboardProps }) => (
  <DashboardLayout {...dashboard} title={form.title}>
    <FormContent {...form} language={dashboard.layout.language} />
  </DashboardLayout>
);

const FormContent = ({
  language,
  isWide,
  errors = [],
  ...form
}: FormPageProps & { language: LayoutProps['language']; isWide?: boolean }) => (
  <>
    <h1>{form.title}</h1>
    {errors.length > 0 && (
      <ErrorSummary title={messagesFor(language).errorSummary} errors={errors} />
    )}
    {form.paragraphs?.map((paragraph) => (
      <p class="measure">{paragraph}</p>
    ))}
    <form method="post" action={form.action} class={isWide ? undefined : 'narrow'} novalidate>
      <FormTokenInput formToken={form.formToken} />
      {form.username !== undefined && (
        <UsernameField username={form.username} label={messagesFor(language).signIn.email} />
      )}
      {form.fields.map((field) => (
        <TextField {...field} error={errors.find((error) => error.field === field.name)?.text} />
      ))}
      <div class={isWide ? 'actions wide' : 'actions'}>
        {form.back && (
          <a class="button plain" href={form.back.href}>
            {form.back.text}
          </a>
        )}
        <button class={form.isDangerous ? 'danger' : undefined}>{form.submit}</button>
      </div>
    </form>
    {form.links?.map(({ href, text }) => (
      <p>
        <a href={href}>{text}</a>
      </p>
    ))}
  </>
);
