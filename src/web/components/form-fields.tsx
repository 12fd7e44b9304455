import type { PropsWithChildren } from 'hono/jsx';

export interface InputProps {
  name: string;
  label: string;
  /** A rule that helps before the field is filled. */
  hint?: string | undefined;
  /** It may be left empty. */
  isOptional?: boolean;
  error?: string | undefined;
}

/** An input with its label and hint above and its error below. */
export const TextField = ({
  type,
  value,
  autocomplete,
  ...field
}: InputProps & {
  type: string;
  value?: string;
  /** An autofill token of the HTML standard. */
  autocomplete: string;
}) => (
  <LabelledControl {...field}>
    <input {...controlAttributes(field)} {...{ type, value, autocomplete }} />
  </LabelledControl>
);

/** A text area with its label and hint above and its error below. */
export const TextArea = ({ value, ...field }: InputProps & { value: string }) => (
  <LabelledControl {...field}>
    <textarea {...controlAttributes(field)} rows={4} autocomplete="off">
      {/* The HTML parser drops a leading line break. */}
      {value.startsWith('\n') ? `\n${value}` : value}
    </textarea>
  </LabelledControl>
);

/** A file to choose. A browser never sends it again by itself. */
export const FileField = ({ accept, ...field }: InputProps & { accept: string }) => (
  <LabelledControl {...field}>
    <input {...controlAttributes(field)} type="file" accept={accept} />
  </LabelledControl>
);

/** A control with its label and hint above and its error below. */
export const LabelledControl = ({
  name,
  label,
  hint,
  error,
  children,
}: PropsWithChildren<InputProps>) => (
  <div class="field">
    <label for={name}>{label}</label>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    {children}
    <FieldError name={name} error={error} />
  </div>
);

/** The error below a field. */
export const FieldError = ({ name, error }: Pick<InputProps, 'name' | 'error'>) =>
  error ? (
    <p class="error" id={`${name}-error`}>
      {error}
    </p>
  ) : null;

/** Returns the value of `aria-describedby` for a field. */
export const describedByIds = ({
  name,
  hint,
  error,
}: Pick<InputProps, 'name' | 'hint' | 'error'>) =>
  [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined;

/** The attributes that every control has. */
export const controlAttributes = (field: InputProps) => ({
  id: field.name,
  name: field.name,
  autocapitalize: 'none' as const,
  spellcheck: false,
  required: !field.isOptional,
  'aria-invalid': field.error ? ('true' as const) : undefined,
  'aria-describedby': describedByIds(field),
});

/** The hidden field with the form token, which protects the form from CSRF. */
export const FormTokenInput = ({ formToken }: { formToken: string }) => (
  <input type="hidden" name="form_token" value={formToken} />
);

/** An error of a submitted form. */
export interface FormError {
  /** Id of the field; absent if the error concerns the whole form. */
  field?: string;
  text: string;
}

/** Everything that a form on a page needs besides its fields. */
export interface FormProps {
  action: string;
  formToken: string;
  errors: readonly FormError[];
  /** The submitted fields; `undefined` before. */
  sent: URLSearchParams | undefined;
}

/** All errors of a submitted form, above the form. Receives the focus. */
export const ErrorSummary = ({
  title,
  errors,
}: {
  title: string;
  errors: readonly FormError[];
}) => (
  <div class="notice danger" role="alert" tabindex={-1} autofocus aria-labelledby="error-summary">
    <h2 id="error-summary">{title}</h2>
    <ul>
      {errors.map(({ field, text }) => (
        <li>{field ? <a href={`#${field}`}>{text}</a> : text}</li>
      ))}
    </ul>
  </div>
);
