import { raw } from 'hono/html';
import { docsPaths, guidePath } from '../../base/page-paths.ts';
import { FieldTable } from './field-table.tsx';
import { Code, InlineCode } from './inline-code.tsx';
import type { OperationDoc, ResponseShape } from './props.ts';

/**
 * The statuses whose meaning does not depend on the operation. A page with fifty operations need
 * not repeat it.
 */
const statusesOfAll: readonly string[] = ['429', '500', '503'];

type OperationError = OperationDoc['errors'][number];

/** From so many operations of a page on, an error that all mean alike is explained once. */
const minSharing = 3;

const explain = ({ status, description }: OperationError) => `${status} ${description}`;

/** The errors that operations of a page share, by status. */
export function sharedErrors(operations: readonly OperationDoc[]): OperationError[] {
  const counts = new Map<string, { error: OperationError; count: number }>();
  for (const error of operations.flatMap(({ errors }) => errors)) {
    if (statusesOfAll.includes(error.status)) continue;
    const count = (counts.get(explain(error))?.count ?? 0) + 1;
    counts.set(explain(error), { error, count });
  }
  return [...counts.values()]
    .filter(({ count }) => count >= minSharing)
    .map(({ error }) => error)
    .sort((one, other) => one.status.localeCompare(other.status));
}

/** The section of a page that its operations refer to for what they share. */
export const SharedErrors = ({ errors }: { errors: readonly OperationError[] }) => (
  <section aria-labelledby="errors">
    <h2 id="errors">Errors of this page</h2>
    <ErrorMeanings errors={errors} />
    <p>
      {statusesOfAll.slice(0, -1).join(', ')} and {statusesOfAll.at(-1)} mean the same for every
      operation. The <a href={guidePath('en', 'errors')}>guide to errors</a> says what each code
      means and what to do.
    </p>
  </section>
);

const ErrorMeanings = ({ errors }: { errors: readonly OperationError[] }) =>
  errors.length === 0 ? null : (
    <dl class="values">
      {errors.map(({ status, description }) => (
        <>
          <dt>{status}</dt>
          <dd>
            <InlineCode text={description} />
          </dd>
        </>
      ))}
    </dl>
  );

/**
 * One operation of the API: its parameters and body, its responses, and samples that call it.
 * `sameExample` is the operation that shows the same example.
 */
export const OperationArticle = ({
  operation,
  sameExample,
  shared,
}: {
  operation: OperationDoc;
  sameExample: OperationDoc | undefined;
  /** The errors that the page explains once. */
  shared: readonly OperationError[];
}) => (
  <article class="entry" id={operation.id} aria-labelledby={`${operation.id}-title`}>
    <h2 id={`${operation.id}-title`}>
      <a href={`#${operation.id}`}>{operation.summary}</a>
    </h2>
    <p class="route">
      <span class={`method ${operation.method.toLowerCase()}`}>{operation.method}</span>{' '}
      <Code text={operation.path} />
    </p>
    <p class="muted">
      <Access scope={operation.scope} />{' '}
      {operation.answersQuery && (
        <>
          Also as <a href={`${guidePath('en', 'lists')}#query`}>QUERY</a>.{' '}
        </>
      )}
      <a href={`${docsPaths.interactive}#${operation.id}`}>Send a request</a>
    </p>
    {raw(operation.description)}
    {/* A call is read before its tables. */}
    {raw(operation.samples)}
    {operation.parameters.length > 0 && (
      <FieldTable caption="Parameters" fields={operation.parameters} />
    )}
    {operation.listParameters.length > 0 && (
      <p>
        Also, as in <a href={guidePath('en', 'lists')}>every list</a>:{' '}
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
    <h3>Responses</h3>
    <p>
      <strong>{operation.success.status}</strong> <ResponseShapeView {...operation.success.shape} />
    </p>
    {sameExample ? (
      <p>
        As in the example of <a href={`#${sameExample.id}`}>{sameExample.summary}</a>.
      </p>
    ) : (
      raw(operation.example)
    )}
    {operation.errors.length > 0 && (
      <details>
        <summary>Errors: {operation.errors.map(({ status }) => status).join(', ')}</summary>
        <ErrorMeanings errors={operation.errors.filter((error) => isOwn(error, shared))} />
        <p>
          <a href="#errors">All others</a> mean the same on this whole page.
        </p>
      </details>
    )}
  </article>
);

const isOwn = (error: OperationError, shared: readonly OperationError[]) =>
  !statusesOfAll.includes(error.status) &&
  !shared.some((other) => explain(other) === explain(error));

const Access = ({ scope }: { scope: string }) => {
  if (scope === '') return <>No credentials.</>;
  if (scope === 'signed-in') return <>Any API key or token, no scope.</>;
  if (scope === 'operator') return <>API key of an operator, made for operators.</>;
  return (
    <>
      Scope <code>{scope}</code>
    </>
  );
};

const ResponseShapeView = ({ before, record, href, after }: ResponseShape) => (
  <code>
    {before}
    {record !== '' && <a href={href}>{record}</a>}
    {after}
  </code>
);
