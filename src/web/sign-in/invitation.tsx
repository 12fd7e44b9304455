import * as z from 'zod';
import { acceptAsNewUser, acceptInvitation } from '../../accounts/members/accept-invitation.ts';
import { hashNewPassword } from '../../accounts/sign-in/check-credentials.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { readableAddress } from '../../base/hosts.ts';
import { browserPaths, invitationPath } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { findInvitation, type FoundInvitation } from '../../data/directory/invitations.ts';
import type { UserSession } from '../../data/directory/sessions.ts';
import { NarrowLayout } from '../components/narrow-layout.tsx';
import { countForm } from '../forms/form-limits.ts';
import { sentText } from '../forms/form-values.ts';
import { publicForm, type Refusal } from '../forms/form.tsx';
import { SignedInPage, userActor, type PublicPage } from '../page.ts';
import type { Messages } from '../texts/en/messages.ts';
import { findCurrentSession } from './browser-session.ts';
import { nameField, nameView, newPasswordViews, withNewPassword } from './link-fields.ts';
import { prepareSession } from './open-session.ts';
import { signInForm } from './sign-in.tsx';
import { SwitchAccount } from './switch-account.tsx';

/**
 * The content of the form token of an invitation: the invitation as it was when the form was
 * created.
 */
interface InvitationState {
  token: string;
  invitation: FoundInvitation;
  /** The signed-in user who accepts; `null` for a user who creates an account with the form. */
  accepts: { name: string; email: string } | null;
}

/** Opens the sign-in page of an invitation. */
const signInParameter = 'sign-in';

/**
 * `/invitations/{token}`: shows an invitation and its inviter, and accepts. Showing it uses nothing
 * up.
 */
export const invitationForm = publicForm<InvitationState, NewUser>({
  path: invitationPath(':token'),
  role: 'public',
  purpose: 'invitation',
  limit: 'passwords',
  againPath: ({ token }) => invitationPath(token),
  async load(page) {
    const token = page.param('token');
    const { c, browser, now, directory } = page;
    const [invitation, session] = await Promise.all([
      /^[\w-]{43}$/.test(token) ? findInvitation(directory, await sha256(token), now) : undefined,
      findCurrentSession(c, browser, now),
    ]);
    if (invitation?.state !== 'open') return showDeadInvitation(page, invitation);
    if (session) return loadForUser(page, { token, invitation, session });
    if (!invitation.hasAccount) return { token, invitation, accepts: null };
    const path = invitationPath(token);
    const { email } = invitation;
    return page.query(signInParameter) === undefined
      ? showSignInFirst(page, invitation, path)
      : signInForm.show(page, { returnTo: path }, { note: { email } });
  },
  fields: (messages, page, { accepts }) =>
    accepts
      ? z.object({ name: sentText, password: sentText })
      : withNewPassword(messages, { name: nameField(messages, page) }),
  view({ messages }, { invitation, accepts }) {
    const { title, lead } = describe(invitation, messages);
    const t = messages.members.invitation;
    if (accepts) {
      const { name, email } = accepts;
      const signedIn = messages.session.as
        .replace('{name}', () => name)
        .replace('{email}', () => readableAddress(email));
      return { title, paragraphs: [lead, signedIn], submit: t.accept };
    }
    const { email, name } = invitation;
    return {
      title,
      paragraphs: [lead, t.newLead.replace('{email}', () => readableAddress(email))],
      fields: [nameView(messages, name ?? ''), ...newPasswordViews(messages)],
      username: email,
      submit: t.accept,
    };
  },
  async submit(page, values, state) {
    const isAccepted = await (state.accepts
      ? acceptAsUser(page, state)
      : acceptWithPassword(page, state, values));
    if (isAccepted === true) {
      const { kind } = state.invitation;
      return page.redirect(
        kind === 'partner' ? browserPaths.partners : `${browserPaths.account}?done=joined`,
      );
    }
    // The page reports the state of the invitation.
    return isAccepted === false ? page.redirect(invitationPath(state.token)) : isAccepted;
  },
});

interface NewUser {
  name: string;
  password: string;
}

/** Accepts as the signed-in user; `false` if the session has ended, or the invitation is gone. */
async function acceptAsUser(
  page: PublicPage,
  { token, invitation }: InvitationState,
): Promise<boolean> {
  const session = await findCurrentSession(page.c, page.browser, page.now);
  if (!session) return false;
  await countForm(page, session.user.id, 'pages', 'every');
  const action = page.actionOf(userActor(session.user));
  return acceptInvitation(action, { invitation, tokenHash: await sha256(token) }, session.user);
}

/** Creates the account, or sets a password of the invited user, and signs them in. */
async function acceptWithPassword(
  page: PublicPage,
  { token, invitation }: InvitationState,
  { name, password }: NewUser,
): Promise<boolean | Refusal> {
  const tokenHash = await sha256(token);
  const found = await findInvitation(page.directory, tokenHash, page.now);
  if (found?.state !== 'open' || found.hasAccount) return false;
  const hashed = await hashNewPassword(page, { email: invitation.email, password });
  if ('kind' in hashed) return hashed;
  const action = page.actionOf();
  const session = await prepareSession(page.c, action, page);
  const presented = { invitation, tokenHash };
  const { language } = page;
  const user = { name, passwordHash: hashed.hash, language, startSession: session.start };
  const isAccepted = await acceptAsNewUser(action, presented, user);
  if (isAccepted) session.setCookie();
  return isAccepted;
}

/** An invitation that a signed-in user opens: theirs to accept, or one of another user. */
async function loadForUser(
  page: PublicPage,
  {
    token,
    invitation,
    session,
  }: Pick<InvitationState, 'token' | 'invitation'> & { session: UserSession },
): Promise<InvitationState | Response> {
  const { name, email } = session.user;
  const isTheirs = email.toLowerCase() === invitation.email.toLowerCase();
  if (isTheirs) return { token, invitation, accepts: { name, email } };
  const path = invitationPath(token);
  const own = new SignedInPage(page, session);
  const t = own.messages.members.invitation;
  const foreign = (
    <NarrowLayout {...own.layout(path)} title={t.foreign}>
      <h1>{t.foreign}</h1>
      <p>{t.foreignLead.replace('{email}', () => readableAddress(invitation.email))}</p>
      <SwitchAccount page={own} returnTo={path} />
    </NarrowLayout>
  );
  return own.render(foreign, { status: 403 });
}

/** Asks a user who has an account to sign in. */
function showSignInFirst(page: PublicPage, invitation: FoundInvitation, path: string) {
  const { title, lead } = describe(invitation, page.messages);
  const t = page.messages.members.invitation;
  const paragraphs = [
    lead,
    t.signInLead.replace('{email}', () => readableAddress(invitation.email)),
  ];
  const link = { href: `${path}?${signInParameter}`, text: t.signIn };
  return page.info({ title, paragraphs, link }, { path });
}

/**
 * Says why a link is no longer valid (404), and what to do. It reveals nothing of the invitation.
 */
function showDeadInvitation(page: PublicPage, invitation: FoundInvitation | undefined) {
  const t = page.messages.members.invitation;
  const state = invitation?.state;
  const title = state === undefined || state === 'open' ? t.unknown : t[state];
  const paragraphs = [state === 'used' ? t.usedLead : t.again];
  const link = { href: browserPaths.account, text: page.messages.error.home };
  return page.info({ title, paragraphs, link }, { status: 404 });
}

/** Returns title and lead of an invitation, with its inviter, store, partner and role. */
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
  return { title: fill(t.store), lead: fill(role === Role.owner ? t.ownerLead : t.storeLead) };
}
