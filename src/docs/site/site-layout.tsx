import type { Child, PropsWithChildren } from 'hono/jsx';
import { languageNames, languages } from '../../base/languages.ts';
import {
  brandPaths,
  changelogFeedPath,
  docsHomePath,
  docsPaths,
  postmanPath,
} from '../../base/page-paths.ts';
import { docsMessages } from './docs-messages.ts';
import type { ContentsLink, SiteProps } from './props.ts';

/** The head of a page of the documentation. `children` are further elements, such as scripts. */
const SiteHead = ({
  title,
  description,
  path,
  language,
  alternates,
  markdownPath,
  assets,
  children,
}: PropsWithChildren<SiteProps>) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{`${title} · {{brand}}`}</title>
    <meta name="description" content={description} />
    <link rel="icon" href="{{icon}}" />
    <link rel="canonical" href={`{{origin}}${path}`} />
    {alternates &&
      languages.map((language) => (
        <link rel="alternate" hreflang={language} href={`{{origin}}${alternates[language]}`} />
      ))}
    {alternates && (
      <link rel="alternate" hreflang="x-default" href={`{{origin}}${alternates.en}`} />
    )}
    {markdownPath !== undefined && (
      <link rel="alternate" type="text/markdown" href={markdownPath} />
    )}
    <link
      rel="alternate"
      type="application/atom+xml"
      title={docsMessages[language].changelog}
      href={changelogFeedPath}
    />
    <link rel="stylesheet" href={assets.style} />
    <link rel="stylesheet" href={brandPaths.style} />
    {children}
  </head>
);

interface SiteLayoutProps extends SiteProps {
  contents?: readonly ContentsLink[];
  /** Whether the navigation stands beside the text. */
  hasNavigation?: boolean;
  script?: Child;
}

/** A page of the documentation: bar with search, navigation, text, table of contents. */
export const SiteLayout = ({
  contents = [],
  hasNavigation = true,
  script,
  children,
  ...props
}: PropsWithChildren<SiteLayoutProps>) => {
  const { language, assets, alternates, markdownPath } = props;
  const messages = docsMessages[language];
  // The Worker fills the frame of a page without translations in the language of the reader.
  const isEnglishOnly = alternates === undefined && language === 'en';
  const root = isEnglishOnly ? `${docsPaths.home}{{reader}}` : docsHomePath(language);
  const [docs, guides, reference] = isEnglishOnly
    ? ['{{reader_docs}}', '{{reader_guides}}', '{{reader_reference}}']
    : [messages.homeTitle, messages.guides, messages.reference];
  return (
    <html lang={language}>
      <SiteHead {...props}>
        <script src={assets.script} type="module"></script>
        {script}
      </SiteHead>
      <body class="site">
        <a class="skip" href="#main">
          {messages.skip}
        </a>
        <header class="bar">
          <a href={root}>
            {'{{brand}}'} <span class="muted">{docs}</span>
          </a>
          <Search {...props} />
          <nav class="areas" aria-label={docs}>
            <a href={`${root}#guides`}>{guides}</a>
            <a href={docsPaths.operations}>{reference}</a>
          </nav>
        </header>
        <div class={hasNavigation ? 'columns' : 'columns wide'}>
          {hasNavigation && <Navigation {...props} />}
          <main class="column" id="main" tabindex={-1}>
            {isEnglishOnly && '{{reader_note}}'}
            {children}
          </main>
          {contents.length > 1 && <Contents title={messages.onThisPage} links={contents} />}
        </div>
        <footer class="foot">
          {alternates && (
            <nav aria-label={messages.language}>
              {languages.map((other) =>
                other === language ? (
                  <span lang={other} aria-current="true">
                    {languageNames[other]}
                  </span>
                ) : (
                  <a lang={other} hreflang={other} href={alternates[other]}>
                    {languageNames[other]}
                  </a>
                ),
              )}
            </nav>
          )}
          <p>
            {markdownPath !== undefined && <a href={markdownPath}>{messages.asMarkdown}</a>}
            <a href="/openapi.json">OpenAPI (JSON)</a>
            <a href="/openapi.yaml">OpenAPI (YAML)</a>
            <a href={`{{origin}}${postmanPath}`} download>
              {messages.postman}
            </a>
            <a href="/llms.txt">llms.txt</a>
          </p>
        </footer>
      </body>
    </html>
  );
};

/** The search. The script shows it, since it needs the script. */
const Search = ({ language, assets }: SiteProps) => {
  const { search, results, oneResult, noResults, searchFailed } = docsMessages[language];
  return (
    <search
      class="search"
      hidden
      data-script={assets.search}
      data-index={assets.searchIndex[language]}
      data-results={results}
      data-one={oneResult}
      data-none={noResults}
      data-failed={searchFailed}
    >
      <input
        type="search"
        name="search"
        aria-label={search}
        aria-controls="search-results"
        placeholder={`${search.split(' ')[0]} (/)`}
        autocomplete="off"
        spellcheck={false}
      />
      <p class="visually-hidden" role="status"></p>
      <ul id="search-results" hidden></ul>
    </search>
  );
};

/** The headings of the page. */
const Contents = ({ title, links }: { title: string; links: readonly ContentsLink[] }) => (
  <nav class="contents" aria-label={title}>
    <p>{title}</p>
    <ul>
      {links.map(({ id, text, level }) => (
        <li class={level > 2 ? 'sub' : undefined}>
          <a href={`#${id}`}>{text}</a>
        </li>
      ))}
    </ul>
  </nav>
);

/**
 * The pages of the documentation, in groups: beside the text on wide screens, folded above it on
 * narrow ones.
 */
const Navigation = ({ language, navigation, path }: SiteProps) => {
  const { menu, homeTitle } = docsMessages[language];
  return (
    <nav class="pages" aria-label={menu}>
      <details>
        <summary>{menu}</summary>
        <div class="pages-list" tabindex={0} role="group" aria-label={homeTitle}>
          {navigation.map(({ title, links }) => (
            <section>
              <p class="group">{title}</p>
              <ul>
                {links.map(({ href, text, method }) => (
                  <li>
                    <a href={href} aria-current={href === path ? 'page' : undefined}>
                      {method !== undefined && (
                        <span class={`method ${method.toLowerCase()}`}>{method}</span>
                      )}
                      {text}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </details>
    </nav>
  );
};
