import type { Context } from 'hono';
import { limited } from '../access/limits.ts';
import { forgetApp } from '../db/apps.ts';
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
import { checkAuthorizationRequest, errorRedirect } from './authorization-request.ts';
import { issueCode } from './issue-code.ts';
import { issuerOf } from './issuer.ts';
import { offeredStores } from './offered-stores.ts';
import { redirectBack } from './redirect-back.ts';
import { showForeignStore, storeParameter } from './show-stores.tsx';
import { consentTicket } from './transaction.ts';

/**
 * `POST /oauth/authorize`: the decision. Counts what the page sealed and nothing else of the form, for the
 * browser that the page was made for (403 for another), and only if session, store and app are still what they
 * were: the request is checked once more against the app as it is now. 303 to the app with a code or with
 * `access_denied`; a second approval of the same page is 409.
 */
export async function decide(c: Context<Faces>) {
  const now = Date.now();
  const settings = settingsOf(c.env);
  const [form, visitor] = [await readForm(c), await visitorOf(c)];
  const opened = await consentTicket.open(settings, visitor, form, now);
  if ('fault' in opened) return showTicketFault(c, opened.fault, opened.data?.request);
  const decision = form.get('decision');
  if (decision !== 'approve' && decision !== 'deny') throw new Problem(400);

  const { grantId, storeId, scopes, request: path } = opened.data;
  const url = new URL(path, c.req.url);
  const clientId = url.searchParams.get('client_id') ?? '';
  const { idHash } = visitor;
  const directory = openShard(c.env.DIRECTORY);
  const { person, app } = await findDecision(directory, { idHash, clientId, now });
  if (!person) return c.redirect(path, 303);
  const userId = person.user.id;
  const issuer = issuerOf(settings, c.req.url);
  const findApp = () => Promise.resolve(app);
  const checked = await checkAuthorizationRequest(url, { findApp, issuer, userId });
  if (!('request' in checked) || checked.request.scopes !== scopes) {
    forgetApp(clientId);
    return c.redirect(path, 303);
  }
  const { request } = checked;
  if (decision === 'deny') return c.redirect(errorRedirect(request, 'access_denied', issuer), 303);

  const store = offeredStores(request.app, person).find(({ id }) => id === storeId);
  if (!store) return showForeignStore(c, withParameter(path, storeParameter));
  await limited(c.env.ME_LIMIT, settings.limits.me, `approve:${userId}`, now);
  const issued = await issueCode(
    c.env,
    { ...request, grantId, clientId, userId, store },
    now,
    (work) => c.executionCtx.waitUntil(work),
  );
  if (issued === 'already decided') return showDecided(c);
  const { code } = issued;
  const answer = { code, merchant: store.alias, state: request.state, iss: issuer };
  return c.redirect(redirectBack(request, answer), 303);
}

function showDecided(c: Context<Faces>) {
  const frame = frameOf(c);
  const { title, lead } = wordsOf(frame.language).decided;
  return showPage(c, <NoticePage {...{ frame, title }} paragraphs={[lead]} />, { status: 409 });
}
