import { raw } from 'hono/html';
import { docsPaths } from '../../base/page-paths.ts';
import { docsMessages } from './docs-messages.ts';
import type { SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

interface GuideCard {
  href: string;
  title: string;
  summary: string;
}

export interface HomePageProps {
  site: SiteProps;
  /** HTML of the samples of the first call. */
  firstCall: string;
  /** Addresses of the three ways to go on, and of the guide to API keys. */
  links: { call: string; receive: string; app: string; key: string };
  groups: readonly { title: string; guides: readonly GuideCard[] }[];
}

/** The first page: what the service is, the first call, and where to go from there. */
export const DocsHomePage = ({ site, firstCall, links, groups }: HomePageProps) => {
  const messages = docsMessages[site.language];
  const { call, receive, app } = messages.paths;
  const paths = [
    [links.call, call],
    [links.receive, receive],
    [links.app, app],
  ] as const;
  return (
    <SiteLayout {...site} hasNavigation={false}>
      <div class="home">
        <h1>{site.title}</h1>
        <p class="lead">{messages.homeLead}</p>
        <section aria-labelledby="first-call">
          <h2 id="first-call">{messages.firstCallTitle}</h2>
          <p>
            {messages.firstCallLead} {messages.firstCallKey}{' '}
            <a href={links.key}>{messages.getKey}</a>
          </p>
          {raw(firstCall)}
        </section>
        <section aria-labelledby="paths">
          <h2 id="paths">{messages.pathsTitle}</h2>
          <ul class="cards paths">
            {paths.map(([href, [title, text]]) => (
              <li>
                <a href={href}>{title}</a>
                <p>{text}</p>
              </li>
            ))}
          </ul>
        </section>
        <section aria-labelledby="guides">
          <h2 id="guides">{messages.allGuides}</h2>
          {groups.map(({ title, guides }) => (
            <>
              <h3>{title}</h3>
              <ul class="cards">
                {guides.map((guide) => (
                  <li>
                    <a href={guide.href}>{guide.title}</a>
                    <p>{guide.summary}</p>
                  </li>
                ))}
              </ul>
            </>
          ))}
        </section>
        <section aria-labelledby="reference">
          <h2 id="reference">{messages.referenceTitle}</h2>
          <p>{messages.referenceLead}</p>
          <ul class="cards">
            <li>
              <a href={docsPaths.interactive}>{messages.interactive}</a>
              <p>{messages.interactiveLead}</p>
            </li>
            <li>
              <a href={docsPaths.operations}>{messages.operations}</a>
              <p>{messages.operationsLead}</p>
            </li>
          </ul>
        </section>
      </div>
    </SiteLayout>
  );
};
