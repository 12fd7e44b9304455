import { docsPaths } from '../../base/page-paths.ts';
import type { OpenApiDocument } from '../../http/openapi/types.ts';
import { textOfHtml } from '../build/escape.ts';
import { renderCode } from '../build/render-markdown.ts';
import { describeFields, recordName } from './doc-fields.ts';
import { eventPath, recordPath } from './doc-paths.ts';
import { EventPage, EventsPage } from './event-pages.tsx';
import { describeOperation, formatExample } from './operation-docs.ts';
import { OperationsPage, TagPage } from './operation-pages.tsx';
import type {
  EventDoc,
  NavigationGroup,
  OperationDoc,
  RecordDoc,
  SiteAssets,
  SiteProps,
} from './props.ts';
import { DocsRecordPage, RecordsPage } from './record-pages.tsx';
import { indexReference, type ReferenceIndex, type TagOfReference } from './reference-index.ts';
import { renderText } from './render-text.ts';
import { SiteLayout } from './site-layout.tsx';

/** The whole reference as data. */
export interface ReferencePages {
  index: ReferenceIndex;
  tags: { tag: TagOfReference; operations: OperationDoc[] }[];
  events: EventDoc[];
  records: RecordDoc[];
}

/** Describes everything in the OpenAPI document. */
export function describeReference(document: OpenApiDocument): ReferencePages {
  const index = indexReference(document);
  return {
    index,
    tags: index.tags.map((tag) => ({
      tag,
      operations: tag.operations.map((located) => describeOperation(document, located)),
    })),
    events: describeEvents(document),
    // By name: readers come with the name of a type.
    records: describeRecords(document).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

function describeEvents({ webhooks }: OpenApiDocument): EventDoc[] {
  return Object.entries(webhooks).flatMap(([name, { post }]) => {
    const media = post?.requestBody?.content['application/json'];
    if (!post || !media) return [];
    const resource = media.schema.properties?.resource ?? {};
    return [
      {
        name,
        path: eventPath(name),
        meaning: post.summary,
        explanation: renderText(post.description ?? ''),
        scopes: post['x-scope'].split(' ').filter(Boolean),
        record: recordName(resource),
        recordHref: resource.$ref === undefined ? '' : recordPath(recordName(resource)),
        description: resource.description ?? '',
        example: renderCode(formatExample(media.example), 'json', 'JSON'),
      },
    ];
  });
}

function describeRecords({ components }: OpenApiDocument): RecordDoc[] {
  return Object.entries(components.schemas).map(([name, schema]) => ({
    name,
    path: recordPath(name),
    description: schema.description ?? '',
    fields: describeFields(schema),
    values: Object.entries(schema['x-enumDescriptions'] ?? {}).map(([value, meaning]) => ({
      value,
      meaning,
    })),
  }));
}

/** The navigation of the reference; below the tag of `path` are its operations. */
function navigationFor(
  document: OpenApiDocument,
  { tags }: ReferenceIndex,
  path: string,
): NavigationGroup[] {
  const overview: NavigationGroup = {
    title: 'Reference',
    links: [
      { href: docsPaths.interactive, text: 'Interactive reference' },
      { href: docsPaths.operations, text: 'All operations' },
      { href: docsPaths.events, text: 'Events' },
      { href: docsPaths.records, text: 'Records' },
    ],
  };
  const groups = document['x-tagGroups'].map(({ name, tags: names }) => ({
    title: name,
    links: names
      .flatMap((name) => tags.filter(({ tag }) => tag === name))
      .flatMap((tag) => [
        { href: tag.path, text: tag.name },
        ...(tag.path === path
          ? tag.operations.map(({ method, operation }) => ({
              href: `#${operation.operationId}`,
              text: operation.summary,
              method,
            }))
          : []),
      ]),
  }));
  const grouped = new Set(document['x-tagGroups'].flatMap(({ tags: names }) => names));
  const others = tags.filter((tag) => !grouped.has(tag.tag));
  const rest = {
    title: 'More',
    links: others.map((tag) => ({ href: tag.path, text: tag.name })),
  };
  return [overview, ...groups, rest].filter(({ links }) => links.length > 0);
}

/** Renders all pages of the reference, by their address. */
export function renderReference(
  document: OpenApiDocument,
  reference: ReferencePages,
  assets: SiteAssets,
): Map<string, string> {
  const { index, tags, events, records } = reference;
  const site = (title: string, description: string, path: string): SiteProps => ({
    language: 'en',
    title,
    description,
    path,
    assets,
    navigation: navigationFor(document, index, path),
    markdownPath: `${path}.md`,
  });
  const pages = new Map<string, string>();
  const add = (path: string, page: { toString(): string }) => {
    if (pages.has(path)) throw new Error(`two tags have the address ${path}`);
    pages.set(path, `<!doctype html>${page.toString()}`);
  };
  for (const { tag, operations } of tags) {
    const description = renderText(tag.description);
    const summary = textOfHtml(description) || `Operations of ${tag.name}.`;
    const otherParts = tags
      .filter((other) => other.tag.tag === tag.tag && other.tag !== tag)
      .flatMap((other) =>
        other.operations.map(({ id, summary }) => ({
          id,
          href: `${other.tag.path}#${id}`,
          summary,
        })),
      );
    add(
      tag.path,
      <TagPage
        site={site(tag.name, summary, tag.path)}
        {...{ description, operations, otherParts }}
      />,
    );
  }
  const { operations, events: eventsPath, records: recordsPath, interactive } = docsPaths;
  add(
    operations,
    <OperationsPage
      site={site('All operations', 'Every operation of the API, by subject.', operations)}
      tags={tags.map(({ tag, operations }) => ({ ...tag, operations }))}
    />,
  );
  add(
    eventsPath,
    <EventsPage
      site={site('Events', 'Everything that a webhook can receive.', eventsPath)}
      events={events}
    />,
  );
  add(
    recordsPath,
    <RecordsPage
      site={site('Records', 'The objects in requests, responses and events.', recordsPath)}
      records={records}
    />,
  );
  for (const event of events) {
    add(event.path, <EventPage site={site(event.name, event.meaning, event.path)} event={event} />);
  }
  for (const record of records) {
    const { name, description, path } = record;
    add(path, <DocsRecordPage site={site(name, description || name, path)} record={record} />);
  }
  const { markdownPath: _, ...interactiveSite } = site(
    'Interactive reference',
    'Every operation of the API, with search and requests from the browser.',
    interactive,
  );
  add(interactive, <InteractivePage site={interactiveSite} />);
  return pages;
}

/**
 * The interactive reference: forms that a script creates from the OpenAPI document. Without scripts
 * it leads to the plain pages. The values of its attributes are those of the deployment.
 */
const InteractivePage = ({ site }: { site: SiteProps }) => (
  <SiteLayout {...site} script={<script src={site.assets.reference} type="module"></script>}>
    <h1>{site.title}</h1>
    <p>
      Choose an operation, fill in the form and send the request from here. It changes real data of
      the store. <a href={docsPaths.operations}>Other pages</a> describe every field, answer and
      error.
    </p>
    <div
      id="reference"
      data-user-token="{{user_token}}"
      data-user-secret="{{user_secret}}"
      data-operator-token="{{operator_token}}"
      data-operator-secret="{{operator_secret}}"
      data-store="{{store}}"
    >
      <p>The form needs JavaScript.</p>
    </div>
  </SiteLayout>
);
