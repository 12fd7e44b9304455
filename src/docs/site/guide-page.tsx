import { raw } from 'hono/html';
import { docsMessages } from './docs-messages.ts';
import type { ContentsLink, DocsLink, SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

export interface GuidePageProps {
  site: SiteProps;
  /** HTML of the text without its title. */
  html: string;
  contents: readonly ContentsLink[];
  previous: DocsLink | undefined;
  next: DocsLink | undefined;
}

/** A guide, with links to the ones before and after it. */
export const GuidePage = ({ site, html, contents, previous, next }: GuidePageProps) => {
  const messages = docsMessages[site.language];
  return (
    <SiteLayout {...site} contents={contents}>
      <article class="text">
        <h1>{site.title}</h1>
        {raw(html)}
      </article>
      <nav class="steps" aria-label={`${messages.previous}, ${messages.next}`}>
        {previous && (
          <a rel="prev" href={previous.href}>
            <span class="muted">{messages.previous}</span> {previous.text}
          </a>
        )}
        {next && (
          <a rel="next" href={next.href}>
            <span class="muted">{messages.next}</span> {next.text}
          </a>
        )}
      </nav>
    </SiteLayout>
  );
};
