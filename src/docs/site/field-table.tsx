import { InlineCode } from './inline-code.tsx';
import type { FieldDoc } from './props.ts';

interface FieldTableProps {
  caption: string;
  fields: readonly FieldDoc[];
  /** Records occur only in responses, so their fields are neither required nor have defaults. */
  isRecord?: boolean;
}

/**
 * A table of parameters, body fields or fields of a record. Its style labels the cells of a card: a
 * page has hundreds.
 */
export const FieldTable = ({ caption, fields, isRecord = false }: FieldTableProps) => {
  const hasNotes = fields.some((field) => formatNotes(field) !== '');
  return (
    <table class={isRecord ? 'fields of-record' : 'fields'}>
      {isRecord ? (
        <caption class="visually-hidden">{caption}</caption>
      ) : (
        <caption>{caption}</caption>
      )}
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          {!isRecord && <th scope="col">Required</th>}
          {!isRecord && <th scope="col">Default</th>}
          {hasNotes && <th scope="col">Meaning</th>}
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
            <td>{field.href === undefined ? field.type : <a href={field.href}>{field.type}</a>}</td>
            {!isRecord && <td>{field.required ? 'yes' : 'no'}</td>}
            {!isRecord && <td>{field.defaultValue !== '' && <code>{field.defaultValue}</code>}</td>}
            {hasNotes && (
              <td>
                <InlineCode text={formatNotes(field)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const formatNotes = ({ limits, description }: FieldDoc) =>
  [description, limits].filter((part) => part !== '').join(' ');
