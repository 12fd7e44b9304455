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
import { computeAttemptCounters, signInThrottle } from '../session/throttle/counters.ts';
import { hashingRetrySeconds, runInHashingSlot } from '../session/throttle/hashing-slots.ts';
import { sealFormToken, type PageContext } from '../session/user-pages.ts';
import { settingsOf } from '../settings.ts';

/** Why a user has to wait: after too many attempts, or because too many passwords are being checked. */
interface Wait {
  status: 429 | 503;
  seconds: number;
}

/** `GET /account/password`. Shows the form again with status 422 for errors, or with the status of `wait`. */
export async function showPassword(
  c: Context<AppEnv>,
  context: PageContext,
  { faults = [], wait }: { faults?: readonly PasswordFormError[]; wait?: Wait } = {},
) {
  const page = (
    <PasswordPage
      dashboard={buildDashboardLayoutProps(c, 'account', browserPaths.password)}
      action={browserPaths.password}
      formToken={await sealFormToken(c, context, browserPaths.password)}
      email={context.session.user.email}
      errors={faults}
      wait={wait && { isBusy: wait.status === 503, seconds: wait.seconds }}
      back={browserPaths.account}
    />
  );
  if (wait !== undefined) {
    const headers = { 'Retry-After': String(wait.seconds) };
    return renderPage(c, page, { status: wait.status, headers });
  }
  return renderPage(c, page, { status: faults.length > 0 ? 422 : 200 });
}

const minLength = 12;
const maxLength = 256;

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
  const response = await runInHashingSlot(context.now, () =>
    tryChange(c, context, { currentPassword, newPassword }),
  );
  const wait: Wait = { status: 503, seconds: hashingRetrySeconds };
  return response ?? showPassword(c, context, { wait });
}

/** Counts an attempt, checks the current password and changes it. */
async function tryChange(
  c: Context<AppEnv>,
  context: PageContext,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<Response> {
  const { session, now } = context;
  const { email, id: userId } = session.user;
  const directory = openDatabase(c.env.DIRECTORY);
  const address = c.req.header('CF-Connecting-IP');
  const attempt = { email, address, trustedBy: 'session' };
  const counters = await computeAttemptCounters(settingsOf(c.env), attempt);
  const { isAllowed, account, blockedUntil, counted } = await countSignInAttempt(directory, {
    counters,
    email,
    throttle: signInThrottle,
    now,
  });
  const oldHash = account?.hash ?? dummyPasswordHash;
  if (!isAllowed || !(await verifyPassword(currentPassword, oldHash))) {
    if (blockedUntil > now) {
      const seconds = Math.ceil((blockedUntil - now) / 1000);
      return showPassword(c, context, { wait: { status: 429, seconds } });
    }
    return showPassword(c, context, { faults: ['currentWrong'] });
  }

  const browserId = generateBrowserId();
  const isChanged = await changePassword(directory, {
    idHash: await sha256(browserId),
    userId,
    oldHash,
    newHash: await hashPassword(newPassword),
    counted,
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
