import { docsPaths } from '../../base/page-paths.ts';
import { copyButtonScript, type Asset } from '../../web/assets/assets.ts';
import { BrandName, type BrandProps } from '../../web/components/brand-mark.tsx';
import { HtmlDocument } from '../../web/components/html-document.tsx';
import { curlExamples } from '../banner.ts';
import type { InboxEntry } from './entries.ts';

interface InboxProps {
  brand: BrandProps;
  origin: string;
  entries: readonly InboxEntry[];
  /** Whether the page does not refresh itself. */
  isPaused: boolean;
}

/** The page's own style. The inbox serves it, because a deployment does not need it. */
export const inboxStylesheet: Asset = {
  name: 'inbox',
  extension: 'css',
  href: '/demo/inbox.css',
  text: `.logo { margin-inline-end: var(--step-2); flex: none; }
.card > h2 { margin-top: 0; }
.card > p { margin-bottom: var(--step-2); }
.card > details { margin-bottom: 0; }
figure.code { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface);
  overflow: hidden; }
figure.code figcaption { display: flex; align-items: center; justify-content: space-between;
  min-height: var(--target); gap: var(--step-2); padding-inline-start: var(--step-4);
  padding-block: var(--step-1); font-size: 0.8125rem; line-height: 1.25; color: var(--muted); }
figure.code pre { margin: 0; padding: 0 var(--step-4) var(--step-3); white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: 0.875rem; tab-size: 2; }
figure.code pre code { font-size: inherit; }`,
};

/** Shows the received requests, newest first. */
export const InboxPage = ({ brand, origin, entries, isPaused }: InboxProps) => (
  <HtmlDocument
    lang="en"
    title="Demo inbox"
    brand={brand}
    styleSheets={[inboxStylesheet]}
    scripts={[copyButtonScript]}
  >
    <a class="skip" href="#main">
      Skip to the deliveries
    </a>
    <header class="bar">
      <a href={brand.homeHref}>
        <BrandName brand={brand} />
      </a>
      <a href="/demo/inbox" aria-current="page">
        Inbox
      </a>
      <a href="/demo/mail">Mail</a>
      {isPaused ? (
        <a href="/demo/inbox">Refresh automatically</a>
      ) : (
        <a href="/demo/inbox?refresh=off">Stop refreshing</a>
      )}
      <a href="/demo/inbox.json">JSON</a>
      <a href={docsPaths.home}>Documentation</a>
    </header>
    <main class="column" id="main" tabindex={-1}>
      <h1>Demo inbox</h1>
      <p class="muted">
        Webhooks with the URL <code>{origin}/demo/inbox</code> arrive here, and their signatures are
        checked. The page shows the last hundred requests of three days.
      </p>
      {entries.length === 0 ? (
        <EmptyInbox origin={origin} />
      ) : (
        entries.map((entry, index) => <Delivery entry={entry} isNewest={index === 0} />)
      )}
    </main>
  </HtmlDocument>
);

const EmptyInbox = ({ origin }: { origin: string }) => {
  const { webhook, product } = curlExamples(origin, false);
  return (
    <section aria-labelledby="nothing">
      <h2 id="nothing">Nothing has arrived yet</h2>
      <CodeBlock caption="First create a webhook that sends events here" code={webhook} />
      <CodeBlock caption="Then cause an event" code={product} />
    </section>
  );
};

const verdictTexts = {
  valid: 'Signature valid',
  invalid: 'Signature wrong',
  unknown: 'Not from a webhook of this service',
} as const;

const Delivery = ({ entry, isNewest }: { entry: InboxEntry; isNewest: boolean }) => (
  <article class="card">
    <h2>
      <code>{entry.event ?? 'Request'}</code>
    </h2>
    <p class={entry.verdict === 'valid' ? 'notice' : 'notice danger'}>
      <strong>{verdictTexts[entry.verdict]}</strong>
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
      {entry.answered !== 200 && `, returned ${entry.answered}`}
    </p>
    <CollapsibleCode caption="Headers" code={formatHeaders(entry.headers)} />
    <CollapsibleCode caption="Body" code={formatBody(entry.body)} isOpen={isNewest} />
  </article>
);

interface CollapsibleCodeProps {
  caption: string;
  code: string;
  isOpen?: boolean;
}

const CollapsibleCode = ({ caption, code, isOpen = false }: CollapsibleCodeProps) => (
  <details open={isOpen}>
    <summary>{caption}</summary>
    <CodeBlock caption={caption} code={code} />
  </details>
);

const formatHeaders = (headers: InboxEntry['headers']) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Indents JSON; returns anything else unchanged. */
function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

interface CodeExample {
  caption: string;
  code: string;
}

/** A block of code with a caption. `copyButtonScript` adds a copy button to the caption. */
export const CodeBlock = ({ caption, code }: CodeExample) => (
  <figure class="code">
    <figcaption>{caption}</figcaption>
    <pre>
      <code>{code}</code>
    </pre>
  </figure>
);
