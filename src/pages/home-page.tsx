import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { methodNotAllowed } from '../base/errors.ts';
import { browserPaths } from '../base/page-paths.ts';
import { settingsOf, serviceOrigin } from '../base/settings.ts';
import type { AppEnv } from '../http/app-env.ts';
import { dashboardStyleSheet } from '../web/assets/assets.ts';
import { BrandName, SupportLink } from '../web/components/brand-mark.tsx';
import { HtmlDocument } from '../web/components/html-document.tsx';
import { LanguageSwitch, type LayoutProps } from '../web/components/narrow-layout.tsx';
import { detectLanguage, buildLayoutProps, renderPage } from '../web/render-page.ts';
import { messagesFor } from '../web/texts/messages.ts';

/** Mounts `GET /`: a page for browsers, JSON for programs. */
export function mountHome(pages: Hono<AppEnv>): void {
  pages.get(browserPaths.home, (c) => {
    c.set('operation', 'home');
    const supports = ['application/json', 'text/html'];
    const type = accepts(c, { header: 'Accept', supports, default: 'application/json' });
    return type === 'text/html' ? showHomePage(c) : showLinks(c);
  });
  pages.all(browserPaths.home, () => {
    throw methodNotAllowed('GET, HEAD');
  });
}

const varyHeaders = { Vary: 'Accept, Accept-Language, Cookie' };

/** Shows the links for merchants, partners and developers. Reads no database. */
function showHomePage(c: Context<AppEnv>) {
  const { signUp } = settingsOf(c.env);
  const page = (
    <HomePage
      layout={buildLayoutProps(c, detectLanguage(c), browserPaths.home)}
      signInHref={browserPaths.session}
      partnersHref={browserPaths.partners}
      docsHref="/docs"
      referenceHref="/docs/reference/operations"
      signUpHref={signUp === 'closed' ? undefined : browserPaths.signUp}
      isOpenToMerchants={signUp === 'everyone'}
    />
  );
  return renderPage(c, page, { headers: varyHeaders });
}

/** Names the addresses that a program needs. */
function showLinks(c: Context<AppEnv>) {
  const settings = settingsOf(c.env);
  const origin = serviceOrigin(settings, c.req.url);
  const body = {
    name: settings.brand.name,
    api: `${origin}/v2`,
    openapi: `${origin}/openapi.json`,
    documentation: `${origin}/docs`,
    llms: `${origin}/llms.txt`,
    authorization_server: `${origin}/.well-known/oauth-authorization-server`,
  };
  return c.json(body, 200, { ...varyHeaders, 'Cache-Control': 'public, max-age=300' });
}

interface HomePageProps {
  layout: LayoutProps;
  signInHref: string;
  partnersHref: string;
  docsHref: string;
  referenceHref: string;
  /** Absent if no user may create an account. */
  signUpHref: string | undefined;
  /** Whether merchants may create a store of their own. */
  isOpenToMerchants: boolean;
}

/** The public start page: links for merchants, partners and developers. */
const HomePage = ({ layout, signUpHref, ...props }: HomePageProps) => {
  const { language, brand } = layout;
  const messages = messagesFor(language);
  const t = messages.home;
  return (
    <HtmlDocument lang={language} title={t.title} brand={brand} styleSheets={[dashboardStyleSheet]}>
      <a class="skip" href="#main">
        {messages.skip}
      </a>
      <header class="top home">
        <div class="bar">
          <a href={brand.homeHref} aria-current="page">
            <BrandName brand={brand} />
          </a>
        </div>
      </header>
      <main class="column front" id="main" tabindex={-1}>
        <h1>{t.title}</h1>
        <p class="lead">{t.lead}</p>
        <div class="doors">
          <section class="card" aria-labelledby="merchants">
            <h2 id="merchants">{t.merchants}</h2>
            <p>{t.merchantsLead}</p>
            <p class="actions">
              <a class="button" href={props.signInHref}>
                {t.signIn}
              </a>
              {props.isOpenToMerchants && signUpHref !== undefined && (
                <a class="button plain" href={signUpHref}>
                  {t.openStore}
                </a>
              )}
            </p>
          </section>
          <section class="card" aria-labelledby="partners">
            <h2 id="partners">{t.partners}</h2>
            <p>{t.partnersLead}</p>
            <p class="actions">
              <a class="button plain" href={props.partnersHref}>
                {t.openPanel}
              </a>
              {signUpHref !== undefined && (
                <a class="button plain" href={signUpHref}>
                  {t.signUp}
                </a>
              )}
            </p>
          </section>
          <section class="card" aria-labelledby="documentation">
            <h2 id="documentation">{t.documentation}</h2>
            <p>{t.documentationLead}</p>
            <p class="actions">
              <a class="button plain" href={props.docsHref}>
                {t.readGuides}
              </a>
              <a class="button plain" href={props.referenceHref}>
                {t.readReference}
              </a>
            </p>
          </section>
        </div>
      </main>
      <footer class="foot">
        <LanguageSwitch {...layout} />
        <SupportLink {...{ brand, messages }} />
      </footer>
    </HtmlDocument>
  );
};
