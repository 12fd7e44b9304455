import { raw } from 'hono/html';
import { docsPaths } from '../../base/page-paths.ts';
import { OperationArticle } from './operation-sections.tsx';
import type { OperationDoc, SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

/** All operations of one tag. `description` is HTML. */
export const TagPage = ({
  site,
  description,
  operations,
}: {
  site: SiteProps;
  description: string;
  operations: readonly OperationDoc[];
}) => (
  <SiteLayout
    {...site}
    contents={operations.map(({ id, summary }) => ({ id, text: summary, level: 2 }))}
  >
    <h1>{site.title}</h1>
    {raw(description)}
    {operations.map((operation) => (
      <OperationArticle
        {...{ operation }}
        sameExample={earlierWithExample(operations, operation)}
      />
    ))}
  </SiteLayout>
);

/** A page of more operations shows an example once: their answers are the same few records. */
const maxWithAllExamples = 20;

/** The operation of a long page that shows the same example before; `undefined` if this one shows it. */
function earlierWithExample(operations: readonly OperationDoc[], { id, example }: OperationDoc) {
  if (operations.length <= maxWithAllExamples) return undefined;
  const first = operations.find((operation) => operation.example === example);
  return first?.id === id ? undefined : first;
}

export interface TagListing {
  name: string;
  path: string;
  operations: readonly { id: string; method: string; path: string; summary: string }[];
}

/** The list of all operations. */
export const OperationsPage = ({
  site,
  tags,
}: {
  site: SiteProps;
  tags: readonly TagListing[];
}) => (
  <SiteLayout {...site}>
    <h1>{site.title}</h1>
    <p>
      Each page describes some operations with their fields, answers and errors. The{' '}
      <a href={docsPaths.interactive}>interactive reference</a> contains the same and can send
      requests. Programs read the <a href="/openapi.json">OpenAPI document</a>.
    </p>
    {tags.map(({ name, path, operations }) => (
      <section>
        <h2>
          <a href={path}>{name}</a>
        </h2>
        <ul class="operations">
          {operations.map(({ id, method, path: route, summary }) => (
            <li>
              <a href={`${path}#${id}`}>{summary}</a>
              <span class="route">
                <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{route}</code>
              </span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </SiteLayout>
);
