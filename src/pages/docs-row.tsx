import { Code, Folded } from './docs-code.tsx';
import { Fields } from './docs-fields.tsx';
import type { RowProps, ShapeProps } from './docs-props.ts';

/** One row of the API: what it takes, what it answers, and how to call it. */
export const Row = ({ row }: { row: RowProps }) => (
  <article class="row" id={row.id} aria-labelledby={`${row.id}-title`}>
    <h3 id={`${row.id}-title`}>
      <a href={`#${row.id}`}>{row.summary}</a>
    </h3>
    <p class="route">
      <span class={`verb ${row.verb.toLowerCase()}`}>{row.verb}</span>
      <code>{row.path}</code>
    </p>
    <p class="muted">
      {row.scope === 'signed-in' ? 'Any credentials, no scope.' : 'Scope '}
      {row.scope !== 'signed-in' && <code>{row.scope}</code>}
    </p>
    {row.note !== '' && <p>{row.note}</p>}
    {row.parameters.length > 0 && <Fields caption="Parameters" fields={row.parameters} />}
    {row.listParameters.length > 0 && (
      <p>
        Also, as on <a href="#lists">every list</a>:{' '}
        {row.listParameters.map((name, index) => (
          <>
            {index > 0 && ', '}
            <code>{name}</code>
          </>
        ))}
        .
      </p>
    )}
    {row.fields.length > 0 && <Fields caption="Body" fields={row.fields} />}
    <h4>Answers</h4>
    <ul class="statuses">
      <li>
        <strong>{row.success.status}</strong> <Shape {...row.success.shape} />
      </li>
      {row.refusals.map(({ status, description }) => (
        <li>
          <a href={`#error-${status}`} title={description}>
            {status}
          </a>
        </li>
      ))}
    </ul>
    <Code caption="curl" code={row.curl} />
    <Folded caption={`Example answer, ${row.success.status}`} code={row.success.example} />
  </article>
);

const Shape = ({ before, record, after }: ShapeProps) => (
  <code>
    {before}
    {record !== '' && <a href={`#record-${record}`}>{record}</a>}
    {after}
  </code>
);
