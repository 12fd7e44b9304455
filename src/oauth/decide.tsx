import type { Context } from 'hono';
import { limited } from '../access/limits.ts';
import { forgetApp, type App } from '../db/apps.ts';
import { findDecision } from '../db/find-decision.ts';
import { openShard } from '../db/open.ts';
import type { Faces } from '../http/faces.ts';
import { NoticePage } from '../pages/notice-page.tsx';
import { wordsOf } from '../pages/words/words-of.ts';
import { Problem } from '../problem.ts';
import { readForm } from '../session/read-form.ts';
import { showTicketFault } from '../session/show-fault.tsx';
import { frameOf, showPage } from '../session/show-page.ts';
import { visitorOf } from '../session/visitor.ts';
import { withParameter } from '../session/with-parameter.ts';
import { settingsOf } from '../settings.ts';
import { errorRedirect } from './authorization-request.ts';
import { clientMayAsk } from './checks/client-may-ask.ts';
import { redirectUriIsRegistered } from './checks/redirect-uri-is-registered.ts';
import { issueCode } from './issue-code.ts';
import { issuerOf } from './issuer.ts';
import { offeredStores } from './offered-stores.ts';
import { redirectBack } from './redirect-back.ts';
import { scopeBits, scopeText } from './scope-text.ts';
import { showForeignStore, storeParameter } from './show-stores.tsx';
import { consentTicket, type Transaction } from './transaction.ts';

/**
 * `POST /oauth/authorize`: the decision. Counts what the page sealed and nothing else of the form, for the
 * browser that the page was made for (403 for another), and only if session, store and app are still what they
 * were. 303 to the app with a code or with `access_denied`; a second approval of the same page is 409.
 */
export async function decide(c: Context<Faces>) {
  const now = Date.now();
  const settings = settingsOf(c.env);
  const [form, visitor] = [await readForm(c), await visitorOf(c)];
  const opened = await consentTicket.open(settings, visitor, form, now);
  if ('fault' in opened) return showTicketFault(c, opened.fault, opened.data?.to);
  const decision = form.get('decision');
  if (decision !== 'approve' && decision !== 'deny') throw new Problem(400);

  const transaction = opened.data;
  const { clientId, storeId, to } = transaction;
  const { idHash } = visitor;
  const directory = openShard(c.env.DIRECTORY);
  const { person, app } = await findDecision(directory, { idHash, clientId, now });
  if (!person) return c.redirect(to, 303);
  if (!app || !mayStillAsk(app, person.user.id, transaction)) {
    forgetApp(clientId);
    return c.redirect(to, 303);
  }
  const issuer = issuerOf(settings, c.req.url);
  const request = { state: undefined, ...transaction };
  if (decision === 'deny') return c.redirect(errorRedirect(request, 'access_denied', issuer), 303);

  const store = offeredStores(app, person).find(({ id }) => id === storeId);
  if (!store) return showForeignStore(c, withParameter(to, storeParameter));
  await limited(c.env.ME_LIMIT, settings.limits.me, `approve:${person.user.id}`, now);
  const consent = { ...transaction, userId: person.user.id, store };
  const issued = await issueCode(c.env, consent, now, (work) => c.executionCtx.waitUntil(work));
  if (issued === 'already decided') return showDecided(c);
  const { code } = issued;
  const answer = { code, merchant: store.alias, state: request.state, iss: issuer };
  return c.redirect(redirectBack(request, answer), 303);
}

/** Whether the app as it is now could still ask for what was shown. */
const mayStillAsk = (app: App, userId: number, { redirectUri, scopes }: Transaction) =>
  clientMayAsk(app, userId) &&
  redirectUriIsRegistered(app, redirectUri) &&
  (scopes === 0 || scopeBits(scopeText(scopes), app.scopes) !== undefined);

function showDecided(c: Context<Faces>) {
  const frame = frameOf(c);
  const { title, lead } = wordsOf(frame.language).decided;
  return showPage(c, <NoticePage {...{ frame, title }} paragraphs={[lead]} />, { status: 409 });
}
