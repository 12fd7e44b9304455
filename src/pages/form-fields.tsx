/** One field of a form: label above, its error below it. */
export const Field = ({
  name,
  label,
  type,
  value,
  autocomplete,
  error,
}: {
  name: string;
  label: string;
  type: string;
  value?: string;
  /** A token of the HTML standard. */
  autocomplete: string;
  error?: string | undefined;
}) => (
  <div class="field">
    <label for={name}>{label}</label>
    <input
      id={name}
      name={name}
      type={type}
      value={value}
      autocomplete={autocomplete}
      autocapitalize="none"
      spellcheck={false}
      required
      aria-invalid={error ? 'true' : undefined}
      aria-describedby={error ? `${name}-error` : undefined}
    />
    {error && (
      <p class="error" id={`${name}-error`}>
        {error}
      </p>
    )}
  </div>
);

/** The hidden field of a form, as the session sealed it. */
export const Ticket = ({ ticket }: { ticket: string }) => (
  <input type="hidden" name="ticket" value={ticket} />
);

/** What is wrong with a form that comes back; it gets the focus. */
export const Problems = ({
  title,
  problems,
}: {
  title: string;
  problems: readonly { field?: string; text: string }[];
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
