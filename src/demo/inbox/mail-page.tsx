import { browserPaths } from '../../base/page-paths.ts';
import { BrandName, type BrandProps } from '../../web/components/brand-mark.tsx';
import { HtmlDocument } from '../../web/components/html-document.tsx';
import { CodeBlock, inboxStylesheet } from './inbox-page.tsx';
import type { SentMail } from './sent-mails.ts';

/**
 * Shows the mails that were sent, newest first. Each leads to a page with the mail as a mailbox
 * shows it.
 */
export const MailsPage = ({
  brand,
  mails,
  to,
}: {
  brand: BrandProps;
  mails: readonly SentMail[];
  to: string | undefined;
}) => (
  <HtmlDocument lang="en" title="Demo mail" brand={brand} styleSheets={[inboxStylesheet]}>
    <a class="skip" href="#main">
      Skip to the mails
    </a>
    <header class="bar">
      <a href={brand.homeHref}>
        <BrandName brand={brand} />
      </a>
      <a href="/demo/mail" aria-current="page">
        Mail
      </a>
      <a href="/demo/inbox">Inbox</a>
      <a href="/demo/mail.json">JSON</a>
    </header>
    <main class="column" id="main" tabindex={-1}>
      <h1>Demo mail</h1>
      <p class="muted">
        {to === undefined
          ? 'The last hundred mails that this service sent. None of them leaves this machine.'
          : `Mails to ${to}.`}
      </p>
      {mails.length === 0 ? (
        <p>
          Nothing has been sent yet.{' '}
          <a href={browserPaths.forgottenPassword}>Ask for a new password</a> to get a mail.
        </p>
      ) : (
        mails.map((mail) => <Mail mail={mail} />)
      )}
    </main>
  </HtmlDocument>
);

const Mail = ({ mail: { id, to, subject, text, kind, at } }: { mail: SentMail }) => (
  <article class="card">
    <h2>
      <a href={`/demo/mail/${id}`}>{subject}</a>
    </h2>
    <p>
      To <a href={`/demo/mail?to=${encodeURIComponent(to)}`}>{to}</a>, <code>{kind}</code>,{' '}
      <time datetime={at}>{at.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}</time>
    </p>
    <details>
      <summary>Text of “{subject}”</summary>
      <CodeBlock caption="As text" code={text} />
    </details>
  </article>
);
