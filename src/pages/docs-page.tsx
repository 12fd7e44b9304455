import { copyButtons, docsSheet } from './assets.ts';
import { Folded } from './docs-code.tsx';
import { Contents } from './docs-contents.tsx';
import { Fields } from './docs-fields.tsx';
import { Errors } from './docs-errors.tsx';
import { Lists } from './docs-lists.tsx';
import type { DocsProps } from './docs-props.ts';
import { Row } from './docs-row.tsx';
import { Authentication, Start } from './docs-start.tsx';
import { States } from './docs-states.tsx';
import { Values } from './docs-values.tsx';
import { Webhooks } from './docs-webhooks.tsx';
import { Shell } from './shell.tsx';

/** The API reference. */
export const DocsPage = (props: DocsProps) => (
  <Shell lang="en" title={props.title} sheets={[docsSheet]} scripts={[copyButtons]}>
    <a class="skip" href="#main">
      Skip to the text
    </a>
    <header class="bar">
      <a href="/docs">{props.title}</a>
      <a href="/openapi.json">OpenAPI document</a>
    </header>
    <div class="docs">
      <Contents {...props} />
      <main class="column" id="main" tabindex={-1}>
        <h1>{props.title}</h1>
        <p class="muted">
          Version {props.version}. The same as an <a href="/openapi.json">OpenAPI 3.1 document</a>.
        </p>
        <Start {...props} />
        <Authentication {...props} />
        <Values />
        <Lists />
        <Errors {...props} />
        <Webhooks {...props} />
        <States {...props} />
        {props.sections.map(({ id, heading, rows }) => (
          <section id={id} aria-labelledby={`${id}-title`}>
            <h2 id={`${id}-title`}>{heading}</h2>
            {rows.map((row) => (
              <Row row={row} />
            ))}
          </section>
        ))}
        <Events {...props} />
        <Records {...props} />
      </main>
    </div>
  </Shell>
);

const Events = ({ events }: DocsProps) => (
  <section id="events" aria-labelledby="events-title">
    <h2 id="events-title">Events</h2>
    {events.map(({ name, meaning, scope, record, description, example }) => (
      <article class="row" id={`event-${name}`}>
        <h3>
          <a href={`#event-${name}`}>
            <code>{name}</code>
          </a>
        </h3>
        <p>
          {meaning}. Subscribing with a token needs <code>{scope}</code>. <code>resource</code>:{' '}
          {record === '' ? description : <a href={`#record-${record}`}>{record}</a>}
        </p>
        <Folded caption="Example body" code={example} />
      </article>
    ))}
  </section>
);

const Records = ({ records }: DocsProps) => (
  <section id="records" aria-labelledby="records-title">
    <h2 id="records-title">Records</h2>
    <p>What answers and events hold.</p>
    {records.map(({ name, description, fields }) => (
      <article class="row" id={`record-${name}`}>
        <h3>
          <a href={`#record-${name}`}>{name}</a>
        </h3>
        {description !== '' && <p>{description}</p>}
        <Fields caption={name} fields={fields} isRead />
      </article>
    ))}
  </section>
);
