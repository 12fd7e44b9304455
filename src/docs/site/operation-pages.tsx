import { raw } from 'hono/html';
import { docsPaths } from '../../base/page-paths.ts';
import { Code } from './inline-code.tsx';
import { OperationArticle, sharedErrors, SharedErrors } from './operation-sections.tsx';
import type { OperationDoc, SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

/** All operations of one tag, or of a part of one. `description` is HTML. */
export const TagPage = ({
  site,
  description,
  operations,
  otherParts,
}: {
  site: SiteProps;
  description: string;
  operations: readonly OperationDoc[];
  /** The operations of the tag's other pages. */
  otherParts: readonly { id: string; href: string; summary: string }[];
}) => {
  const shared = sharedErrors(operations);
  return (
    <SiteLayout
      {...site}
      contents={operations.map(({ id, summary }) => ({ id, text: summary, level: 2 }))}
    >
      <h1>{site.title}</h1>
      {raw(description)}
      {operations.map((operation) => (
        <OperationArticle
          {...{ operation, shared }}
          sameExample={earlierWithExample(operations, operation)}
        />
      ))}
      <SharedErrors errors={shared} />
      {otherParts.length > 0 && (
        <section aria-labelledby="other-parts">
          <h2 id="other-parts">More operations</h2>
          <ul>
            {otherParts.map(({ id, href, summary }) => (
              // With its id: links to this page from outside may name it.
              <li id={id}>
                <a href={href}>{summary}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </SiteLayout>
  );
};

/** A page of more operations shows an example once: their answers are the same few records. */
const maxWithAllExamples = 6;

/**
 * The operation of a long page that shows the same example before; `undefined` if this one shows
 * it.
 */
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
    {/* Shown by its script. */}
    <p class="index-filter" hidden>
      <label for="filter">Filter by name, path or method</label>
      <input id="filter" type="search" autocomplete="off" spellcheck={false} />
      <span class="muted" role="status"></span>
    </p>
    {tags.map(({ name, path, operations }) => (
      <details class="letter">
        <summary>
          <strong>{name}</strong> <span class="muted">{operations.length}</span>
        </summary>
        <ul class="operations">
          {operations.map(({ id, method, path: route, summary }) => (
            <li>
              <a href={`${path}#${id}`}>{summary}</a>
              <span class="route">
                <span class={`method ${method.toLowerCase()}`}>{method}</span> <Code text={route} />
              </span>
            </li>
          ))}
        </ul>
      </details>
    ))}
  </SiteLayout>
);
