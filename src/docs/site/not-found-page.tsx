import { docsMessages } from './docs-messages.ts';
import type { SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

/** Shown for an address below `/docs` that does not exist. */
export const NotFoundPage = ({ site, home }: { site: SiteProps; home: string }) => {
  const { notFoundTitle, notFoundLead, toHome } = docsMessages[site.language];
  return (
    <SiteLayout {...site}>
      <h1>{notFoundTitle}</h1>
      <p>{notFoundLead}</p>
      <p>
        <a class="button" href={home}>
          {toHome}
        </a>
      </p>
    </SiteLayout>
  );
};
