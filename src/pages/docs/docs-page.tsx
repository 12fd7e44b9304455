import { copyButtonScript, docsStyleSheet } from '../assets/assets.ts';
import { CollapsibleCode } from '../components/code-block.tsx';
import { HtmlDocument } from '../layout/document.tsx';
import { ErrorsSection, ListsSection, ValuesSection } from './conventions.tsx';
import { FieldTable } from './field-table.tsx';
import { OperationArticle } from './operation.tsx';
import type { DocsPageProps } from './props.ts';
import { AuthenticationSection, StartSection } from './start.tsx';
import { StatesSection } from './states.tsx';
import { TableOfContents } from './table-of-contents.tsx';
import { WebhooksSection } from './webhooks.tsx';

/** The API reference. */
export const DocsPage = (props: DocsPageProps) => (
  <HtmlDocument
    lang="en"
    title={props.title}
    styleSheets={[docsStyleSheet]}
    scripts={[copyButtonScript]}
  >
    <a class="skip" href="#main">
      Skip to the content
    </a>
    <header class="bar">
      <a href="/docs">{props.title}</a>
      <a href="/openapi.json">OpenAPI document</a>
    </header>
    <div class="docs">
      <TableOfContents {...props} />
      <main class="column" id="main" tabindex={-1}>
        <h1>{props.title}</h1>
        <p class="muted">
          Version {props.version}. Also available as an{' '}
          <a href="/openapi.json">OpenAPI 3.1 document</a>.
        </p>
        <StartSection {...props} />
        <AuthenticationSection {...props} />
        <ValuesSection />
        <ListsSection />
        <ErrorsSection {...props} />
        <WebhooksSection {...props} />
        <StatesSection {...props} />
        {props.operationGroups.map(({ id, title, operations }) => (
          <section id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{title}</h2>
            {operations.map((operation) => (
              <OperationArticle operation={operation} />
            ))}
          </section>
        ))}
        <EventsSection {...props} />
        <RecordsSection {...props} />
      </main>
    </div>
  </HtmlDocument>
);

const EventsSection = ({ events }: DocsPageProps) => (
  <section id="events" aria-labelledby="events-title">
    <h2 id="events-title">Events</h2>
    {events.map(({ name, meaning, scopes, record, description, example }) => (
      <article class="entry" id={`event-${name}`}>
        <h3>
          <a href={`#event-${name}`}>
            <code>{name}</code>
          </a>
        </h3>
        <p>
          {meaning}. An app needs{' '}
          {scopes.map((scope, index) => (
            <>
              {index > 0 && ' and '}
              <code>{scope}</code>
            </>
          ))}{' '}
          to hear it. <code>resource</code>:{' '}
          {record === '' ? description : <a href={`#record-${record}`}>{record}</a>}
        </p>
        <CollapsibleCode caption="Example body" code={example} />
      </article>
    ))}
  </section>
);

const RecordsSection = ({ records }: DocsPageProps) => (
  <section id="records" aria-labelledby="records-title">
    <h2 id="records-title">Records</h2>
    <p>The objects in responses and events.</p>
    {records.map(({ name, description, fields }) => (
      <article class="entry" id={`record-${name}`}>
        <h3>
          <a href={`#record-${name}`}>{name}</a>
        </h3>
        {description !== '' && <p>{description}</p>}
        <FieldTable caption={name} fields={fields} isRecord />
      </article>
    ))}
  </section>
);
