import type { PropsWithChildren } from 'hono/jsx';

interface Named {
  name: string;
  label: string;
  /** A rule that is worth knowing before. */
  hint?: string | undefined;
  error?: string | undefined;
}

/** One field of a form: label and hint above, its error below it. */
export const Field = ({
  type,
  value,
  autocomplete,
  ...named
}: Named & {
  type: string;
  value?: string;
  /** A token of the HTML standard. */
  autocomplete: string;
}) => (
  <Labelled {...named}>
    <input {...controlOf(named)} {...{ type, value, autocomplete }} />
  </Labelled>
);

/** A field of several lines. */
export const Lines = ({ value, ...named }: Named & { value: string }) => (
  <Labelled {...named}>
    <textarea {...controlOf(named)} rows={4} autocomplete="off">
      {/* The parser drops a line break that comes first. */}
      {value.startsWith('\n') ? `\n${value}` : value}
    </textarea>
  </Labelled>
);

const Labelled = ({ name, label, hint, error, children }: PropsWithChildren<Named>) => (
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

/** What is wrong with a field, below it. */
export const FieldError = ({ name, error }: Pick<Named, 'name' | 'error'>) =>
  error ? (
    <p class="error" id={`${name}-error`}>
      {error}
    </p>
  ) : null;

/** The ids of what describes a field. */
export const describedBy = ({ name, hint, error }: Pick<Named, 'name' | 'hint' | 'error'>) =>
  [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || undefined;

const controlOf = (named: Named) => ({
  id: named.name,
  name: named.name,
  autocapitalize: 'none' as const,
  spellcheck: false,
  required: true,
  'aria-invalid': named.error ? ('true' as const) : undefined,
  'aria-describedby': describedBy(named),
});

/** The hidden field of a form, as the session sealed it. */
export const Ticket = ({ ticket }: { ticket: string }) => (
  <input type="hidden" name="ticket" value={ticket} />
);

/** What is wrong with a form that comes back. */
export interface FormProblem {
  /** Id of its field. */
  field?: string;
  text: string;
}

/** All that is wrong with a form that comes back; it gets the focus. */
export const Problems = ({
  title,
  problems,
}: {
  title: string;
  problems: readonly FormProblem[];
}) => (
  <div class="notice danger" role="alert" tabindex={-1} autofocus aria-labelledby="problems">
    <h2 id="problems">{title}</h2>
    <ul>
      {problems.map(({ field, text }) => (
        <li>{field ? <a href={`#${field}`}>{text}</a> : text}</li>
      ))}
    </ul>
  </div>
);
