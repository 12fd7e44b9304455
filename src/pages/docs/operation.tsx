import { CodeBlock, CollapsibleCode } from '../components/code-block.tsx';
import { FieldTable } from './field-table.tsx';
import type { OperationDoc, ResponseShape } from './props.ts';

/** One operation of the API: its parameters and body, its responses, and the curl command that calls it. */
export const OperationArticle = ({ operation }: { operation: OperationDoc }) => (
  <article class="entry" id={operation.id} aria-labelledby={`${operation.id}-title`}>
    <h3 id={`${operation.id}-title`}>
      <a href={`#${operation.id}`}>{operation.summary}</a>
    </h3>
    <p class="route">
      <span class={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>
      <code>{operation.path}</code>
    </p>
    <p class="muted">
      {operation.scope === 'signed-in' ? 'Any API key or token, no scope.' : 'Scope '}
      {operation.scope !== 'signed-in' && <code>{operation.scope}</code>}
    </p>
    {operation.note !== '' && <p>{operation.note}</p>}
    {operation.parameters.length > 0 && (
      <FieldTable caption="Parameters" fields={operation.parameters} />
    )}
    {operation.listParameters.length > 0 && (
      <p>
        Also, as in <a href="#lists">every list</a>:{' '}
        {operation.listParameters.map((name, index) => (
          <>
            {index > 0 && ', '}
            <code>{name}</code>
          </>
        ))}
        .
      </p>
    )}
    {operation.bodyFields.length > 0 && <FieldTable caption="Body" fields={operation.bodyFields} />}
    <h4>Responses</h4>
    <ul class="statuses">
      <li>
        <strong>{operation.success.status}</strong>{' '}
        <ResponseShapeView {...operation.success.shape} />
      </li>
      {operation.errors.map(({ status, description }) => (
        <li>
          <a href={`#error-${status}`} title={description}>
            {status}
          </a>
        </li>
      ))}
    </ul>
    <CodeBlock caption="curl" code={operation.curl} />
    <CollapsibleCode
      caption={`Example response, ${operation.success.status}`}
      code={operation.success.example}
    />
  </article>
);

const ResponseShapeView = ({ before, record, after }: ResponseShape) => (
  <code>
    {before}
    {record !== '' && <a href={`#record-${record}`}>{record}</a>}
    {after}
  </code>
);
