import type { Context } from 'hono';
import { defaultZone } from '../../codecs/time/zone.ts';
import { openDatabase } from '../../db/core/open.ts';
import { listSessions } from '../../db/directory/security.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { SessionsPage } from '../../pages/security/sessions-page.tsx';
import { endOwnSessions } from '../../people/sessions/end.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { securityPaths } from './paths.ts';

/** `GET /account/sessions`: the devices on which the user is signed in. */
export async function showSessions(c: Context<AppEnv>, context: PageContext) {
  const { browser } = context;
  const sessions = await loadSessions(c, context);
  const dashboard = buildDashboardLayoutProps(c, context, 'security', browserPaths.sessions);
  const { language } = dashboard.layout;
  const { done } = c.req.query();
  const page = (
    <SessionsPage
      {...{ dashboard }}
      devices={sessions.map(({ idHash, device, country, startedAt, seenAt }) => ({
        name: nameOf(device, language),
        isHere: idHash === browser.idHash,
        country: country === null ? undefined : countryName(country, language),
        startedAt,
        seenAt,
        endHref: securityPaths.endSession(idHash),
      }))}
      zone={defaultZone}
      done={done === 'one' || done === 'others' ? done : undefined}
      endOthersHref={securityPaths.endOtherSessions}
    />
  );
  return renderPage(c, page);
}

const loadSessions = (c: Context<AppEnv>, { session, now }: PageContext) =>
  listSessions(openDatabase(c.env.DIRECTORY), session.user.id, now);

const nameOf = (device: string, language: Language) =>
  device === '' ? messagesFor(language).security.sessions.unknownDevice : device;

const countryName = (country: string, language: Language) =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(country);

/** `GET /account/sessions/{id}/end`: asks whether to sign a device out. Throws 404 for a session of somebody else. */
export async function showEndSession(c: Context<AppEnv>, context: PageContext) {
  const id = c.req.param('id') ?? '';
  const session = (await loadSessions(c, context)).find(({ idHash }) => idHash === id);
  if (!session) throw notFound();
  const { language } = buildDashboardLayoutProps(c, context, 'security', c.req.path).layout;
  const t = messagesFor(language).security.sessions;
  const question = t.endQuestion.replace('{device}', () => nameOf(session.device, language));
  return showQuestion(c, context, { question, consequence: t.endConsequence, submit: t.end });
}

/** `POST /account/sessions/{id}/end`: signs a device out (303); nothing happens if it is signed out already. */
export async function submitEndSession(c: Context<AppEnv>, context: PageContext) {
  const idHash = c.req.param('id') ?? '';
  await endOwnSessions(pageDeed(c, context), context.session.user.id, { idHash });
  return c.redirect(`${browserPaths.sessions}?done=one`, 303);
}

/** `GET /account/sessions/end-others`: asks whether to sign all other devices out. */
export function showEndOthers(c: Context<AppEnv>, context: PageContext) {
  const { language } = buildDashboardLayoutProps(c, context, 'security', c.req.path).layout;
  const t = messagesFor(language).security.sessions;
  return showQuestion(c, context, {
    question: t.endOthersQuestion,
    consequence: t.endOthersConsequence,
    submit: t.endOthers,
  });
}

/** `POST /account/sessions/end-others`: signs all other devices out (303). */
export async function submitEndOthers(c: Context<AppEnv>, context: PageContext) {
  const which = { exceptIdHash: context.browser.idHash };
  await endOwnSessions(pageDeed(c, context), context.session.user.id, which);
  return c.redirect(`${browserPaths.sessions}?done=others`, 303);
}

async function showQuestion(
  c: Context<AppEnv>,
  context: PageContext,
  { question, consequence, submit }: { question: string; consequence: string; submit: string },
) {
  const { path } = c.req;
  const page = (
    <ConfirmPage
      dashboard={buildDashboardLayoutProps(c, context, 'security', path)}
      title={question}
      question={question}
      paragraphs={[consequence]}
      action={path}
      formToken={await sealFormToken(c, context, path)}
      submit={submit}
      isDangerous
      back={browserPaths.sessions}
    />
  );
  return renderPage(c, page);
}
