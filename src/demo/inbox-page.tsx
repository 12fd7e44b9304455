import { copyButtons, docsSheet, type Asset } from '../pages/assets.ts';
import { Code } from '../pages/docs-code.tsx';
import { Shell } from '../pages/shell.tsx';
import { curlLines } from './banner.ts';
import type { Entry } from './inbox-entries.ts';

interface InboxProps {
  origin: string;
  entries: readonly Entry[];
  /** Whether the page stays as it is; else the browser asks for it again every few seconds. */
  isPaused: boolean;
}

/** What the page has besides the sheets of all pages; served with the inbox, since no deployment needs it. */
export const inboxSheet: Asset = {
  name: 'inbox',
  extension: 'css',
  href: '/demo/inbox.css',
  text: `.card > h2 { margin-top: 0; }
.card > p { margin-bottom: var(--step-2); }
.card > details { margin-bottom: 0; }`,
};

/** What the demo inbox has received, newest first. */
export const InboxPage = ({ origin, entries, isPaused }: InboxProps) => (
  <Shell lang="en" title="Demo inbox" sheets={[docsSheet, inboxSheet]} scripts={[copyButtons]}>
    <a class="skip" href="#main">
      Skip to the deliveries
    </a>
    <header class="bar">
      <a href="/demo/inbox">Demo inbox</a>
      {isPaused ? (
        <a href="/demo/inbox">Refresh by itself</a>
      ) : (
        <a href="/demo/inbox?refresh=off">Stop refreshing</a>
      )}
      <a href="/demo/inbox.json">As JSON</a>
      <a href="/docs">API reference</a>
    </header>
    <main class="column" id="main" tabindex={-1}>
      <h1>Demo inbox</h1>
      <p class="muted">
        Webhooks that point to <code>{origin}/demo/inbox</code> arrive here. Signatures are checked;
        the last hundred requests of three days are shown.
      </p>
      {entries.length === 0 ? (
        <NothingYet origin={origin} />
      ) : (
        entries.map((entry, index) => <Delivery entry={entry} isNewest={index === 0} />)
      )}
    </main>
  </Shell>
);

const NothingYet = ({ origin }: { origin: string }) => {
  const { webhook, product } = curlLines(origin, false);
  return (
    <section aria-labelledby="nothing">
      <h2 id="nothing">Nothing has arrived yet</h2>
      <Code caption="First send the events of the demo store here" code={webhook} />
      <Code caption="Then make something happen" code={product} />
    </section>
  );
};

const verdicts = {
  valid: 'Signature valid',
  invalid: 'Signature wrong',
  unknown: 'Not from a webhook of this service',
} as const;

const Delivery = ({ entry, isNewest }: { entry: Entry; isNewest: boolean }) => (
  <article class="card">
    <h2>
      <code>{entry.event ?? 'Request'}</code>
    </h2>
    <p class={entry.verdict === 'valid' ? 'notice' : 'notice danger'}>
      <strong>{verdicts[entry.verdict]}</strong>
    </p>
    <p>
      {entry.store !== null && (
        <>
          Store <code>{entry.store}</code>,{' '}
        </>
      )}
      <time datetime={entry.received_at}>
        {entry.received_at.replace('T', ' ').replace('Z', ' UTC')}
      </time>
      {entry.attempt !== null && `, attempt ${entry.attempt}`}
      {entry.answered !== 200 && `, answered ${entry.answered}`}
    </p>
    <Folded caption="Headers" code={headerLines(entry.headers)} />
    <Folded caption="Body" code={pretty(entry.body)} isOpen={isNewest} />
  </article>
);

interface FoldedProps {
  caption: string;
  code: string;
  isOpen?: boolean;
}

const Folded = ({ caption, code, isOpen = false }: FoldedProps) => (
  <details open={isOpen}>
    <summary>{caption}</summary>
    <Code caption={caption} code={code} />
  </details>
);

const headerLines = (headers: Entry['headers']) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
