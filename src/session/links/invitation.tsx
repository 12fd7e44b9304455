import type { Context } from 'hono';
import { sha256 } from '../../crypto/digest.ts';
import { findInvitation, type FoundInvitation } from '../../db/directory/invitations.ts';
import type { UserSession } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { Messages } from '../../pages/i18n/en/messages.ts';
import { ForeignInvitationPage } from '../../pages/members/foreign-invitation-page.tsx';
import { acceptAsNewUser, acceptInvitation } from '../../people/invitations/accept.ts';
import { invitationPath } from '../../people/invitations/invitation-path.ts';
import { findCurrentSession } from '../browser-session.ts';
import { hashNewPassword } from '../new-password.ts';
import { requestDeed, userActor } from '../pages/page-deed.ts';
import { browserPaths } from '../pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../pages/render-page.ts';
import { showSignInPage } from '../sign-in.tsx';
import { buildSwitchAccountProps } from '../sign-out.ts';
import { prepareSession } from '../start-session.ts';
import { hashingRetrySeconds } from '../throttle/hashing-slots.ts';
import {
  errorsOf,
  nameView,
  newPasswordViews,
  parseName,
  parseNewPassword,
  valueOf,
} from './fields.ts';
import { showInfo, type PublicForm, type PublicFormContext } from './public-form.tsx';

/** What the form token of an invitation carries: the invitation as it was when the form was made. */
interface InvitationState {
  token: string;
  invitation: FoundInvitation;
  /** The signed-in user who accepts; `null` for somebody who makes an account with the form. */
  accepts: { name: string; email: string } | null;
}

/** Opens the sign-in page of an invitation. */
const signInParameter = 'sign-in';

/** `/invitations/{token}`: shows who invites to what, and accepts. Showing it uses nothing up. */
export const invitationForm: PublicForm<InvitationState> = {
  path: invitationPath(':token'),
  purpose: 'invitation',
  againPath: ({ token }) => invitationPath(token),
  async load(c, context) {
    const token = c.req.param('token') ?? '';
    const { browser, now } = context;
    const { directory } = requestDeed(c, now);
    const [invitation, session] = await Promise.all([
      /^[\w-]{43}$/.test(token) ? findInvitation(directory, await sha256(token), now) : undefined,
      findCurrentSession(c, browser, now),
    ]);
    if (invitation?.state !== 'open') return showDeadInvitation(c, context, invitation);
    if (session) return loadForUser(c, context, { token, invitation, session });
    if (!invitation.hasAccount) return { token, invitation, accepts: null };
    const path = invitationPath(token);
    return c.req.query(signInParameter) === undefined
      ? showSignInFirst(c, context, invitation, path)
      : showSignInPage(c, browser, { returnTo: path }, { now, email: invitation.email });
  },
  view({ invitation, accepts }, { messages }, form) {
    const { title, lead } = describe(invitation, messages);
    const t = messages.members.invitation;
    if (accepts) {
      const { name, email } = accepts;
      const signedIn = messages.session.as
        .replace('{name}', () => name)
        .replace('{email}', () => email);
      return { title, paragraphs: [lead, signedIn], fields: [], submit: t.accept };
    }
    const { email, name } = invitation;
    if (!form.has('name') && name !== null) form.set('name', name);
    return {
      title,
      paragraphs: [lead, t.newLead.replace('{email}', () => email)],
      fields: [nameView(messages, form), ...newPasswordViews(messages)],
      username: email,
      submit: t.accept,
    };
  },
  async submit(c, state, form, context) {
    const isAccepted = await (state.accepts
      ? acceptAsUser(c, state, context)
      : acceptWithPassword(c, state, form, context));
    if (isAccepted === true) {
      const { kind } = state.invitation;
      const path =
        kind === 'partner' ? browserPaths.partners : `${browserPaths.account}?done=joined`;
      return c.redirect(path, 303);
    }
    // The page says what has become of the invitation.
    return isAccepted === false ? c.redirect(invitationPath(state.token), 303) : isAccepted;
  },
};

/** Accepts as the signed-in user; `false` if nobody is signed in any more, or the invitation is gone. */
async function acceptAsUser(
  c: Context<AppEnv>,
  { token, invitation }: InvitationState,
  { browser, now }: PublicFormContext,
): Promise<boolean> {
  const session = await findCurrentSession(c, browser, now);
  if (!session) return false;
  const deed = requestDeed(c, now, userActor(session.user));
  return acceptInvitation(deed, { invitation, tokenHash: await sha256(token) }, session.user);
}

/** Makes the account, or gives the invited user a password, and signs them in. */
async function acceptWithPassword(
  c: Context<AppEnv>,
  { token, invitation }: InvitationState,
  form: URLSearchParams,
  { browser, now, messages, language }: PublicFormContext,
) {
  const name = parseName(form, messages);
  const password = parseNewPassword(form, messages);
  const errors = errorsOf(name, password);
  if (errors.length > 0) return { errors };
  const passwordHash = await hashNewPassword(valueOf(password), now);
  if (passwordHash === undefined) return { kind: 'busy', seconds: hashingRetrySeconds } as const;
  const deed = requestDeed(c, now);
  const session = await prepareSession(c, deed, { browser });
  const presented = { invitation, tokenHash: await sha256(token) };
  const user = { name: valueOf(name), passwordHash, language, startSession: session.start };
  const isAccepted = await acceptAsNewUser(deed, presented, user);
  if (isAccepted) session.setCookie();
  return isAccepted;
}

/** An invitation that a signed-in user opens: theirs to accept, or somebody else's. */
async function loadForUser(
  c: Context<AppEnv>,
  { browser, now }: PublicFormContext,
  {
    token,
    invitation,
    session,
  }: Pick<InvitationState, 'token' | 'invitation'> & {
    session: UserSession;
  },
): Promise<InvitationState | Response> {
  const { name, email } = session.user;
  const isTheirs = email.toLowerCase() === invitation.email.toLowerCase();
  if (isTheirs) return { token, invitation, accepts: { name, email } };
  const path = invitationPath(token);
  const layout = buildNarrowLayoutProps(c, path);
  const page = (
    <ForeignInvitationPage
      layout={layout}
      email={invitation.email}
      switchAccount={await buildSwitchAccountProps(c, layout, { browser, session, now }, path)}
    />
  );
  return renderPage(c, page, { status: 403 });
}

/** Tells somebody with an account to sign in. */
function showSignInFirst(
  c: Context<AppEnv>,
  { messages }: PublicFormContext,
  invitation: FoundInvitation,
  path: string,
) {
  const { title, lead } = describe(invitation, messages);
  const t = messages.members.invitation;
  const paragraphs = [lead, t.signInLead.replace('{email}', () => invitation.email)];
  const link = { href: `${path}?${signInParameter}`, text: t.signIn };
  return showInfo(c, { title, paragraphs, link }, { path });
}

/** Says why a link works no more (404), and what to do. It tells nothing of the invitation. */
function showDeadInvitation(
  c: Context<AppEnv>,
  { messages }: PublicFormContext,
  invitation: FoundInvitation | undefined,
) {
  const t = messages.members.invitation;
  const state = invitation?.state;
  const title = state === undefined || state === 'open' ? t.unknown : t[state];
  const paragraphs = [state === 'used' ? t.usedLead : t.again];
  const link = { href: browserPaths.account, text: messages.error.home };
  return showInfo(c, { title, paragraphs, link }, { status: 404 });
}

/** Who invites to what, in words. */
function describe(
  { kind, role, store, partner, inviter }: FoundInvitation,
  { members: { invitation: t, roles } }: Messages,
) {
  const fill = (text: string) =>
    text
      .replaceAll('{inviter}', () => inviter)
      .replaceAll('{store}', () => store ?? '')
      .replaceAll('{partner}', () => partner ?? '')
      .replaceAll('{role}', () => (role ? roles.names[role] : ''));
  if (kind === 'user') return { title: t.user, lead: fill(t.userLead) };
  if (kind === 'partner') return { title: fill(t.partner), lead: fill(t.partnerLead) };
  return { title: fill(t.store), lead: fill(role === 'owner' ? t.ownerLead : t.storeLead) };
}
