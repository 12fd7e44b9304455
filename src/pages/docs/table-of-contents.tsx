import type { DocsPageProps } from './props.ts';

const guides = [
  ['start', 'Start'],
  ['authentication', 'Authentication'],
  ['values', 'Values and writes'],
  ['lists', 'Lists'],
  ['errors', 'Errors'],
  ['webhooks', 'Receive webhooks'],
  ['states', 'States'],
] as const;

/** The table of contents: beside the text on wide screens, collapsed above it on narrow ones. */
export const TableOfContents = ({ operationGroups, events, records }: DocsPageProps) => (
  <nav class="contents" aria-label="Contents" tabindex={0}>
    <details>
      <summary>Contents</summary>
      <p class="group">Guide</p>
      <ul>
        {guides.map(([id, title]) => (
          <li>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
      {operationGroups.map(({ title, operations }) => (
        <>
          <p class="group">{title}</p>
          <ul>
            {operations.map(({ id, method, summary }) => (
              <li>
                <a href={`#${id}`}>
                  <span class={`method ${method.toLowerCase()}`}>{method}</span> {summary}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
      <p class="group">Events</p>
      <ul>
        {events.map(({ name }) => (
          <li>
            <a href={`#event-${name}`}>{name}</a>
          </li>
        ))}
      </ul>
      <p class="group">Records</p>
      <ul>
        {records.map(({ name }) => (
          <li>
            <a href={`#record-${name}`}>{name}</a>
          </li>
        ))}
      </ul>
    </details>
  </nav>
);
