import type { Context } from 'hono';
import { sha256 } from '../crypto/digest.ts';
import { openDatabase } from '../db/core/open.ts';
import { changePassword, countSignInAttempt } from '../db/directory/sign-in.ts';
import type { AppEnv } from '../http/app-env.ts';
import { PasswordPage, type PasswordFormError } from '../pages/account/password-page.tsx';
import { sessionExpiry, setBrowserCookie, generateBrowserId } from '../session/browser-session.ts';
import { hashPassword, verifyPassword, dummyPasswordHash } from '../session/password.ts';
import { browserPaths } from '../session/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../session/render-page.ts';
import { computeAttemptKeys, signInThrottle } from '../session/throttle.ts';
import { sealFormToken, type PageContext } from '../session/user-pages.ts';
import { settingsOf } from '../settings.ts';

/** `GET /account/password`. Shows the form again with status 422 for errors, or 429 with `wait` in seconds. */
export async function showPassword(
  c: Context<AppEnv>,
  context: PageContext,
  { faults = [], wait }: { faults?: readonly PasswordFormError[]; wait?: number } = {},
) {
  const page = (
    <PasswordPage
      dashboard={buildDashboardLayoutProps(c, 'account', browserPaths.password)}
      action={browserPaths.password}
      formToken={await sealFormToken(c, context, browserPaths.password)}
      email={context.session.user.email}
      errors={faults}
      retryAfterSeconds={wait}
      back={browserPaths.account}
    />
  );
  if (wait !== undefined) {
    return renderPage(c, page, { status: 429, headers: { 'Retry-After': String(wait) } });
  }
  return renderPage(c, page, { status: faults.length > 0 ? 422 : 200 });
}

const minLength = 12;
const maxLength = 256;

/**
 * `POST /account/password`: changes the password and ends all other sessions. A wrong current password counts as
 * a failed sign-in, so a stolen session does not bypass that throttle.
 */
export async function submitPassword(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { session, now } = context;
  const currentPassword = form.get('current') ?? '';
  const newPassword = form.get('fresh') ?? '';
  const repeated = form.get('repeated') ?? '';
  const faults = validatePasswords(currentPassword, newPassword, repeated);
  if (faults.length > 0) return showPassword(c, context, { faults });

  const { email, id: userId } = session.user;
  const directory = openDatabase(c.env.DIRECTORY);
  const keys = await computeAttemptKeys(settingsOf(c.env), email, c.req.header('CF-Connecting-IP'));
  const attempt = await countSignInAttempt(directory, {
    keys,
    email,
    throttle: signInThrottle,
    now,
  });
  const { isAllowed, account, blockedUntil } = attempt;
  const oldHash = account?.hash ?? dummyPasswordHash;
  if (!isAllowed || !(await verifyPassword(currentPassword, oldHash))) {
    if (blockedUntil > now) {
      return showPassword(c, context, { wait: Math.ceil((blockedUntil - now) / 1000) });
    }
    return showPassword(c, context, { faults: ['currentWrong'] });
  }

  const browserId = generateBrowserId();
  const isChanged = await changePassword(directory, {
    idHash: await sha256(browserId),
    userId,
    oldHash,
    newHash: await hashPassword(newPassword),
    keys,
    blockedUntil,
    now,
    expiresAt: sessionExpiry(now, now),
  });
  // A concurrent request has changed the password, so the given one is no longer current.
  if (!isChanged) return showPassword(c, context, { faults: ['currentWrong'] });
  setBrowserCookie(c, browserId);
  return c.redirect(`${browserPaths.account}?done=password`, 303);
}

function validatePasswords(
  currentPassword: string,
  newPassword: string,
  repeated: string,
): PasswordFormError[] {
  const faults: PasswordFormError[] = [];
  const length = Array.from(newPassword).length;
  if (currentPassword === '') faults.push('currentMissing');
  if (length < minLength) faults.push('freshShort');
  else if (length > maxLength) faults.push('freshLong');
  else if (newPassword === currentPassword) faults.push('freshSame');
  else if (repeated !== newPassword) faults.push('repeatedDiffers');
  return faults;
}
