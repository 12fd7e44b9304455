import type { Child } from 'hono/jsx';
import {
  controlAttributes,
  describedByIds,
  FieldError,
  LabelledControl,
  type InputProps,
} from './form-fields.tsx';

/** A list to choose one value from, with its label and hint above and its error below. */
export const SelectField = ({
  options,
  value,
  ...field
}: InputProps & {
  /** The values, or values with their texts. */
  options: readonly (string | { value: string; text: string })[];
  value: string;
}) => (
  <LabelledControl {...field}>
    <select {...controlAttributes(field)}>
      {options
        .map((option) => (typeof option === 'string' ? { value: option, text: option } : option))
        .map((option) => (
          <option value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
    </select>
  </LabelledControl>
);

/** A value to choose, and its meaning. */
export interface Choice {
  value: string;
  text: Child;
  meaning?: string | undefined;
}

/** Radio buttons, each with its meaning. Errors link to the group. */
export const RadioField = ({
  options,
  value,
  ...field
}: GroupProps & { options: readonly Choice[]; value: string | undefined }) => (
  <Group {...field}>
    {options.map((option) => (
      <RadioButton {...{ option }} name={field.name} isChosen={option.value === value} />
    ))}
  </Group>
);

const RadioButton = ({
  name,
  option: { value, text, meaning },
  isChosen,
}: {
  name: string;
  option: Choice;
  isChosen: boolean;
}) => (
  <label class="check">
    <input type="radio" name={name} value={value} checked={isChosen} />
    {meaning === undefined ? (
      <span>{text}</span>
    ) : (
      <span>
        <strong>{text}</strong>
        <span class="meaning">{meaning}</span>
      </span>
    )}
  </label>
);

/** The texts of a choice of all options, and of that of some, above the options. */
export interface AllChoice {
  all: string;
  allMeaning: string;
  some: string;
}

/**
 * Checkboxes, below headings if there are `groups`. Errors link to the group. With `whole`, the
 * value `all` stands for every option, and the style hides them as long as it is chosen.
 */
export const CheckboxField = ({
  options = [],
  groups = [],
  whole,
  chosen,
  ...field
}: GroupProps & {
  options?: readonly Choice[];
  groups?: readonly { label: string; options: readonly Choice[] }[];
  whole?: AllChoice | undefined;
  chosen: readonly string[];
}) => {
  const box = ({ value, text, meaning }: Choice) => (
    <label class="check">
      <input type="checkbox" name={field.name} value={value} checked={chosen.includes(value)} />
      <span>
        {text}
        {meaning !== undefined && <span class="meaning">{meaning}</span>}
      </span>
    </label>
  );
  return (
    <Group {...field}>
      {whole &&
        [
          { value: 'all', text: whole.all, meaning: whole.allMeaning },
          { value: 'some', text: <strong>{whole.some}</strong> },
        ].map((option) => (
          <RadioButton
            {...{ option }}
            name={field.name}
            isChosen={(option.value === 'all') === chosen.includes('all')}
          />
        ))}
      {options.map(box)}
      {groups.length > 0 && (
        <div class="groups">
          {groups.map((group) => (
            <fieldset class="group">
              <legend>{group.label}</legend>
              {group.options.map(box)}
            </fieldset>
          ))}
        </div>
      )}
    </Group>
  );
};

/** One checkbox with its own label; its value is `yes`. */
export const SingleCheckbox = ({
  name,
  label,
  hint,
  isTicked,
}: {
  name: string;
  label: string;
  hint?: string | undefined;
  isTicked: boolean;
}) => (
  <label class="check">
    <input type="checkbox" name={name} value="yes" checked={isTicked} />
    <span>
      {label}
      {hint !== undefined && <span class="meaning">{hint}</span>}
    </span>
  </label>
);

type GroupProps = Omit<InputProps, 'label'> & { label: Child; children?: Child };

/** Controls of one name, with their label and hint above. */
export const Group = ({ name, label, hint, error, children }: GroupProps) => (
  <fieldset
    class="field"
    id={name}
    tabindex={-1}
    aria-describedby={describedByIds({ name, hint, error })}
  >
    <legend>{label}</legend>
    {hint && (
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
    )}
    <FieldError name={name} error={error} />
    {children}
  </fieldset>
);
