import { raw } from 'hono/html';
import { guidePath } from '../../base/page-paths.ts';
import type { EventDoc, SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

/** The list of all events. */
export const EventsPage = ({ site, events }: { site: SiteProps; events: readonly EventDoc[] }) => (
  <SiteLayout {...site}>
    <h1>{site.title}</h1>
    <p>
      The service sends them to webhooks, and lists them in the feed of events. The{' '}
      <a href={guidePath('en', 'webhooks')}>guide to webhooks</a> says how to receive them. The last
      ones go only to the{' '}
      <a href={`${guidePath('en', 'webhooks')}#app-webhook`}>webhook of an app</a>.
    </p>
    <ul class="operations">
      {events.map(({ name, path, meaning }) => (
        <li id={`event-${name}`}>
          <a href={path}>
            <code>{name}</code>
          </a>
          <span class="route">{meaning}</span>
        </li>
      ))}
    </ul>
  </SiteLayout>
);

/** One event with its body. */
export const EventPage = ({ site, event }: { site: SiteProps; event: EventDoc }) => (
  <SiteLayout {...site}>
    <h1>
      <code>{event.name}</code>
    </h1>
    <p>{event.meaning}.</p>
    {raw(event.explanation)}
    <p>
      {event.scopes.length === 0 ? (
        'Only the webhook of an app itself receives it.'
      ) : (
        <>
          An app needs{' '}
          {event.scopes.map((scope, index) => (
            <>
              {index > 0 && ' and '}
              <code>{scope}</code>
            </>
          ))}{' '}
          to receive it.
        </>
      )}{' '}
      <code>resource</code> is{' '}
      {event.record === '' ? (
        event.description || 'an object of its own'
      ) : (
        <a href={event.recordHref}>{event.record}</a>
      )}
      .
    </p>
    {raw(event.example)}
  </SiteLayout>
);
