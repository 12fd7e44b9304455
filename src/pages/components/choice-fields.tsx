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
  /** The values, or values with the texts that stand for them. */
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

/** Radio buttons, each with what it means. Errors link to the group. */
export const RadioField = ({
  options,
  value,
  label,
  ...field
}: Omit<InputProps, 'label'> & {
  label: Child;
  options: readonly { value: string; text: string; meaning: string }[];
  value: string | undefined;
}) => (
  <fieldset class="field" id={field.name} tabindex={-1} aria-describedby={describedByIds(field)}>
    <legend>{label}</legend>
    {field.hint && (
      <p class="hint" id={`${field.name}-hint`}>
        {field.hint}
      </p>
    )}
    <FieldError name={field.name} error={field.error} />
    {options.map((option) => (
      <label class="check">
        <input
          type="radio"
          name={field.name}
          value={option.value}
          checked={option.value === value}
        />
        <span>
          <strong>{option.text}</strong>
          <br />
          {option.meaning}
        </span>
      </label>
    ))}
  </fieldset>
);
