import type { DocsProps } from './docs-props.ts';

const guides = [
  ['start', 'Start'],
  ['authentication', 'Authentication'],
  ['values', 'Values and writing'],
  ['lists', 'Lists'],
  ['errors', 'Errors'],
  ['webhooks', 'How webhooks arrive'],
  ['states', 'States'],
] as const;

/** The index of the reference: beside the text on wide screens, folded above it on narrow ones. */
export const Contents = ({ sections, events, records }: DocsProps) => (
  <nav class="contents" aria-label="Contents" tabindex={0}>
    <details>
      <summary>Contents</summary>
      <p class="group">Guide</p>
      <ul>
        {guides.map(([id, label]) => (
          <li>
            <a href={`#${id}`}>{label}</a>
          </li>
        ))}
      </ul>
      {sections.map(({ heading, rows }) => (
        <>
          <p class="group">{heading}</p>
          <ul>
            {rows.map(({ id, verb, summary }) => (
              <li>
                <a href={`#${id}`}>
                  <span class={`verb ${verb.toLowerCase()}`}>{verb}</span> {summary}
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
