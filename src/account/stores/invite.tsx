import type { Context } from 'hono';
import { enforceRateLimit } from '../../access/rate-limit.ts';
import { email as emailField } from '../../codecs/fields/string-formats.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { openDatabase } from '../../db/core/open.ts';
import { selectOpenInvitations } from '../../db/directory/invitations.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import type { FormError } from '../../pages/components/form-fields.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { InvitePage, OpenInvitationPage } from '../../pages/members/invite-page.tsx';
import { inviteMember } from '../../people/invitations/invite-member.ts';
import { revokeInvitation } from '../../people/invitations/revoke.ts';
import { assignableRoles } from '../../people/members/change-role.ts';
import { detectLanguage } from '../../session/pages/language.ts';
import { mailNotice } from '../../session/pages/mail-notice.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { type PageContext, sealFormToken } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { parsePathNumber } from '../path-parameters.ts';
import { memberPaths } from '../paths.ts';
import { redirectToMembers } from './members.tsx';
import { storeOfPage } from './store-of-page.ts';

interface InviteForm {
  typed?: { email: string; role: string };
  errors?: readonly FormError[];
}

/** `GET /account/stores/:alias/members/invite`. Shows the form again with status 422 for errors. */
export const showInvite = (c: Context<AppEnv>, context: PageContext) =>
  renderInvite(c, context, {});

async function renderInvite(
  c: Context<AppEnv>,
  context: PageContext,
  { typed = { email: '', role: '' }, errors = [] }: InviteForm,
) {
  const { alias } = storeOfPage(context);
  const action = memberPaths.invite(alias);
  const page = (
    <InvitePage
      dashboard={buildDashboardLayoutProps(c, context, 'members', action)}
      formToken={await sealFormToken(c, context, action)}
      back={memberPaths.list(alias)}
      notice={mailNotice(c.env, messagesFor(detectLanguage(c)))}
      {...{ action, typed, errors }}
    />
  );
  return renderPage(c, page, { status: errors.length > 0 ? 422 : 200 });
}

/** Invites an address. Each form may send a mail, so a user has a limit of them. */
export async function submitInvite(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const store = storeOfPage(context);
  const language = detectLanguage(c);
  const t = messagesFor(language).members.invite;
  const typed = { email: (form.get('email') ?? '').trim(), role: form.get('role') ?? '' };
  const address = emailField.safeParse(typed.email);
  const role = assignableRoles.find((candidate) => candidate === typed.role);
  const errors: FormError[] = [
    ...(address.success ? [] : [{ field: 'email', text: t.emailInvalid }]),
    ...(role ? [] : [{ field: 'role', text: t.roleMissing }]),
  ];
  if (!address.success || !role) return renderInvite(c, context, { typed, errors });
  await limitInvitations(c, context);
  const result = await inviteMember(pageDeed(c, context), store, {
    email: address.data,
    role,
    language,
  });
  if (result === 'invited') return redirectToMembers(c, store.alias, 'invited');
  const text = result === 'already_member' ? t.already : t.tooMany;
  return renderInvite(c, context, { typed, errors: [{ field: 'email', text }] });
}

const limitInvitations = (c: Context<AppEnv>, { now, session }: PageContext) =>
  enforceRateLimit(
    { env: c.env, limits: settingsOf(c.env).limits, now },
    'me',
    `invitations:${session.user.id}`,
  );

/** Loads the open invitation of the path. Throws 404 for one of another store, and one that is open no more. */
async function requireInvitation(c: Context<AppEnv>, context: PageContext) {
  const id = parsePathNumber(c.req.param('id'));
  const directory = openDatabase(c.env.DIRECTORY);
  const [invitation] = await withDbErrors(
    selectOpenInvitations(directory, { storeId: storeOfPage(context).id }, context.now, id),
  );
  if (!invitation) throw notFound();
  return { ...invitation, role: invitation.role ?? 'viewer' };
}

/** `GET /account/stores/:alias/members/invitations/:id`. */
export async function showOpenInvitation(c: Context<AppEnv>, context: PageContext) {
  const { alias, zone } = storeOfPage(context);
  const invitation = await requireInvitation(c, context);
  const action = memberPaths.invitation(alias, invitation.id);
  const page = (
    <OpenInvitationPage
      dashboard={buildDashboardLayoutProps(c, context, 'members', action)}
      formToken={await sealFormToken(c, context, action)}
      back={memberPaths.list(alias)}
      {...{ action, invitation, zone }}
    />
  );
  return renderPage(c, page);
}

/** Sends an open invitation again with a new link, or withdraws it. */
export async function submitOpenInvitation(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const store = storeOfPage(context);
  const invitation = await requireInvitation(c, context);
  const deed = pageDeed(c, context);
  if (form.get('deed') === 'withdraw') {
    await revokeInvitation(deed, invitation, store.id);
    return redirectToMembers(c, store.alias, 'withdrawn');
  }
  const { email, name, language, role } = invitation;
  // No link makes an owner: theirs gives the password only, and comes from an operator.
  if (role === 'owner') throw notFound();
  await limitInvitations(c, context);
  await inviteMember(deed, store, { email, language, role, ...(name !== null && { name }) });
  return redirectToMembers(c, store.alias, 'invited');
}
