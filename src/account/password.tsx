import type { Context } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { PasswordPage, type PasswordFormError } from '../pages/account/password-page.tsx';
import { changePassword } from '../people/passwords/change.ts';
import { checkPassword, rejectionStatus, type Rejection } from '../session/check.ts';
import { findPasswordFault } from '../session/new-password.ts';
import { pageDeed } from '../session/pages/page-deed.ts';
import { browserPaths } from '../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../session/pages/user-pages.ts';
import { describeNewSession } from '../session/start-session.ts';

/** Why a user has to wait: after too many attempts, or because too many passwords are being checked. */
type Wait = Exclude<Rejection, { kind: 'wrong' }>;

/** `GET /account/password`. Shows the form again with status 422 for errors, or with the status of `wait`. */
export async function showPassword(
  c: Context<AppEnv>,
  context: PageContext,
  { faults = [], wait }: { faults?: readonly PasswordFormError[]; wait?: Wait | undefined } = {},
) {
  const page = (
    <PasswordPage
      dashboard={buildDashboardLayoutProps(c, context, 'security', browserPaths.password)}
      action={browserPaths.password}
      formToken={await sealFormToken(c, context, browserPaths.password)}
      email={context.session.user.email}
      errors={faults}
      wait={wait && { isBusy: wait.kind === 'busy', seconds: wait.seconds }}
      back={browserPaths.account}
    />
  );
  if (wait !== undefined) return renderPage(c, page, rejectionStatus(wait));
  return renderPage(c, page, { status: faults.length > 0 ? 422 : 200 });
}

/**
 * `POST /account/password`: changes the password and ends all other sessions. Wrong current passwords of all sessions of
 * the user are counted together, so a stolen session does not bypass the throttle, and apart from those of strangers, so
 * that nobody else can keep the user from changing it.
 */
export async function submitPassword(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const currentPassword = form.get('current') ?? '';
  const newPassword = form.get('fresh') ?? '';
  const repeated = form.get('repeated') ?? '';
  const faults = validatePasswords(currentPassword, newPassword, repeated);
  if (faults.length > 0) return showPassword(c, context, { faults });
  const deed = pageDeed(c, context);
  const { email, id: userId } = context.session.user;
  const checked = await checkPassword(c, deed, {
    email,
    password: currentPassword,
    trustedBy: 'session',
    newPassword,
  });
  if ('kind' in checked) {
    return checked.kind === 'wrong'
      ? showPassword(c, context, { faults: ['currentWrong'] })
      : showPassword(c, context, { wait: checked });
  }
  const { account, newHash, counted } = checked;
  const { session, setCookie } = await describeNewSession(c, context);
  const change = { userId, oldHash: account.hash, newHash, session, counted };
  // False if a concurrent request has changed the password, so that the given one is no longer current.
  if (!(await changePassword(deed, change)))
    return showPassword(c, context, { faults: ['currentWrong'] });
  setCookie();
  return c.redirect(`${browserPaths.account}?done=password`, 303);
}

function validatePasswords(
  currentPassword: string,
  newPassword: string,
  repeated: string,
): PasswordFormError[] {
  const faults: PasswordFormError[] = currentPassword === '' ? ['currentMissing'] : [];
  const fault = findPasswordFault(newPassword, repeated);
  if (fault === 'short') faults.push('freshShort');
  else if (fault === 'long') faults.push('freshLong');
  else if (newPassword === currentPassword) faults.push('freshSame');
  else if (fault) faults.push('repeatedDiffers');
  return faults;
}
