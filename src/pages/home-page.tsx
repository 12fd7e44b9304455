import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { methodNotAllowed } from '../base/errors.ts';
import { formatMoney, type Language } from '../base/languages.ts';
import { browserPaths, storePaths } from '../base/page-paths.ts';
import { settingsOf, serviceOrigin } from '../base/settings.ts';
import type { AppEnv } from '../http/app-env.ts';
import { dashboardStyleSheet } from '../web/assets/assets.ts';
import { BrandName, SupportLink } from '../web/components/brand-mark.tsx';
import { HtmlDocument } from '../web/components/html-document.tsx';
import { LanguageSwitch } from '../web/components/narrow-layout.tsx';
import { SparkLine } from '../web/components/spark-line.tsx';
import { StateBadge } from '../web/components/state-badge.tsx';
import { detectLanguage, buildLayoutProps, renderPage } from '../web/render-page.ts';
import { messagesFor } from '../web/texts/messages.ts';
import { findVisitor } from '../web/user-pages.tsx';

/** Mounts `GET /`: a page for browsers, JSON for programs. */
export function mountHome(pages: Hono<AppEnv>): void {
  pages.get(browserPaths.home, async (c) => {
    c.set('operation', 'home');
    const supports = ['application/json', 'text/html'];
    const type = accepts(c, { header: 'Accept', supports, default: 'application/json' });
    return type === 'text/html' ? await showHomePage(c) : showLinks(c);
  });
  pages.all(browserPaths.home, () => {
    throw methodNotAllowed('GET, HEAD');
  });
}

/** Stores of a signed-in user that have a link of their own. */
const shownStores = 3;

const varyHeaders = { Vary: 'Accept, Accept-Language, Cookie' };

/**
 * Shows what the service is for, a look at a store, and the ways in for merchants, partners and
 * developers. A signed-in user sees their account and stores.
 */
async function showHomePage(c: Context<AppEnv>) {
  const { signUp } = settingsOf(c.env);
  const session = await findVisitor(c);
  const { user, stores = [] } = session ?? {};
  const isOpenToMerchants = signUp === 'everyone';
  const language = detectLanguage(c, user?.language);
  const layout = buildLayoutProps(c, language, browserPaths.home);
  const { brand } = layout;
  const messages = messagesFor(language);
  const t = messages.home;
  const { title: account } = messages.account.start;
  const page = (
    <HtmlDocument lang={language} title={t.title} brand={brand} styleSheets={[dashboardStyleSheet]}>
      <a class="skip" href="#main">
        {messages.skip}
      </a>
      <header class="top home">
        <div class="bar">
          <a href={brand.homeHref} aria-current="page">
            <BrandName brand={brand} />
          </a>
          {user ? (
            <a href={browserPaths.account}>
              <bdi>{user.name}</bdi>
              <span class="visually-hidden">: {account}</span>
            </a>
          ) : (
            <a href={browserPaths.session}>{messages.signIn.title}</a>
          )}
        </div>
      </header>
      <main class="column front" id="main" tabindex={-1}>
        <div class="hero">
          <div>
            <h1>{t.title}</h1>
            <p class="lead">{t.lead}</p>
            <p class="actions">
              {user ? (
                <>
                  <a class="button" href={browserPaths.account}>
                    {account}
                  </a>
                  {stores.slice(0, shownStores).map(({ name, alias }) => (
                    <a class="button plain" href={storePaths.details(alias)}>
                      <bdi>{name}</bdi>
                    </a>
                  ))}
                </>
              ) : (
                <>
                  {isOpenToMerchants && (
                    <a class="button" href={browserPaths.signUp}>
                      {t.openStore}
                    </a>
                  )}
                  <a
                    class={isOpenToMerchants ? 'button plain' : 'button'}
                    href={browserPaths.session}
                  >
                    {messages.signIn.title}
                  </a>
                </>
              )}
            </p>
          </div>
          <Picture language={language} />
        </div>
        <div class="doors">
          <section class="card" aria-labelledby="partners">
            <h2 id="partners">{t.partners}</h2>
            <p>{t.partnersLead}</p>
            <p class="actions">
              <a class="button plain" href={browserPaths.partners}>
                {messages.partners.list.title}
              </a>
              {!user && signUp !== 'closed' && (
                <a class="button plain" href={browserPaths.signUp}>
                  {t.signUp}
                </a>
              )}
            </p>
          </section>
          <section class="card" aria-labelledby="documentation">
            <h2 id="documentation">{t.documentation}</h2>
            <p>{t.documentationLead}</p>
            <p class="actions">
              <a class="button plain" href="/docs">
                {t.readGuides}
              </a>
              <a class="button plain" href="/docs/reference/operations">
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
  // It is never cached, so that nobody is greeted by the name of another.
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

/** Sales of a store that does not exist: an amount of each day, and its latest orders. */
const example = {
  days: [42, 55, 48, 61, 58, 74, 69, 52, 66, 71, 63, 80, 92, 88],
  orders: [
    [1042, 'paid', 'good', 18_990],
    [1041, 'on_carriage', 'neutral', 7_450],
    [1040, 'waiting_payment', 'warn', 31_200],
  ],
} as const;

/** A look at the page of a store, as one picture. */
const Picture = ({ language }: { language: Language }) => {
  const { home, stores } = messagesFor(language);
  return (
    <div class="picture" role="img" aria-label={home.picture}>
      <div aria-hidden="true">
        <div class="card">
          <strong>{stores.sales.revenue}</strong>
          <span class="total">{formatMoney(1_248_000, language)}</span>
          <SparkLine values={example.days} text="" />
        </div>
        <div class="card">
          <strong>{stores.today.orders}</strong>
          {example.orders.map(([number, status, tone, total]) => (
            <span class="line">
              <span>{number}</span>
              <StateBadge tone={tone} text={stores.today.statuses[status]} />
              <span>{formatMoney(total, language)}</span>
            </span>
          ))}
        </div>
      </div>
    </div>
  );
};
