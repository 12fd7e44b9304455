import type { FieldProps } from './docs-props.ts';

interface FieldsProps {
  caption: string;
  fields: readonly FieldProps[];
  /** Records are only read, so nothing is required or preset in them. */
  isRead?: boolean;
}

/** A table of parameters, body fields or record members. */
export const Fields = ({ caption, fields, isRead = false }: FieldsProps) => {
  const hasNotes = fields.some((field) => notesOf(field) !== '');
  return (
    <table>
      <caption class={isRead ? 'visually-hidden' : ''}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          {!isRead && <th scope="col">Required</th>}
          {!isRead && <th scope="col">Default</th>}
          {hasNotes && <th scope="col">{isRead ? 'Notes' : 'Limits and notes'}</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr>
            <th scope="row">
              <code>
                {field.name.split('.').map((part, index) => (
                  <>
                    {index > 0 && '.'}
                    {index > 0 && <wbr />}
                    {part}
                  </>
                ))}
              </code>
            </th>
            <td data-label="Type">
              {field.href === undefined ? field.type : <a href={field.href}>{field.type}</a>}
            </td>
            {!isRead && <td data-label="Required">{field.required ? 'yes' : 'no'}</td>}
            {!isRead && (
              <td data-label="Default">{field.preset !== '' && <code>{field.preset}</code>}</td>
            )}
            {hasNotes && <td>{notesOf(field)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const notesOf = ({ limits, description }: FieldProps) =>
  [limits, description].filter((part) => part !== '').join(' ');
