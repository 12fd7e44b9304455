import type { Context } from 'hono';
import { sha256 } from '../crypto/sha256.ts';
import { changePassword } from '../db/change-password.ts';
import { openShard } from '../db/open.ts';
import { countAttempt } from '../db/sign-in.ts';
import type { Faces } from '../http/faces.ts';
import type { PasswordFault } from '../pages/password-page.tsx';
import { endOf } from '../session/current-person.ts';
import { hashPassword, isPassword, nobodysHash } from '../session/password.ts';
import { paths } from '../session/paths.ts';
import type { Here } from '../session/signed-in.ts';
import { attemptKeys, throttle } from '../session/throttle.ts';
import { giveCookie, newVisitorId } from '../session/visitor.ts';
import { settingsOf } from '../settings.ts';
import { showPassword } from './show-password.tsx';

const shortest = 12;
const longest = 256;

/**
 * `POST /account/password`: changes the password and signs out all other browsers. A wrong current password
 * counts like a refused sign-in, so that a stolen session is no way around that throttle.
 */
export async function setPassword(c: Context<Faces>, here: Here, form: URLSearchParams) {
  const { person, now } = here;
  const [current, fresh] = [form.get('current') ?? '', form.get('fresh') ?? ''];
  const faults = faultsOf(current, fresh, form.get('repeated') ?? '');
  if (faults.length > 0) return showPassword(c, here, { faults });

  const { email, id: userId } = person.user;
  const directory = openShard(c.env.DIRECTORY);
  const keys = await attemptKeys(settingsOf(c.env), email, c.req.header('CF-Connecting-IP'));
  const attempt = await countAttempt(directory, { keys, email, throttle, now });
  const { isAllowed, account, blockedUntil } = attempt;
  const oldHash = account?.hash ?? nobodysHash;
  if (!isAllowed || !(await isPassword(current, oldHash))) {
    if (blockedUntil > now) {
      return showPassword(c, here, { wait: Math.ceil((blockedUntil - now) / 1000) });
    }
    return showPassword(c, here, { faults: ['currentWrong'] });
  }

  const id = newVisitorId();
  const isChanged = await changePassword(directory, {
    idHash: await sha256(id),
    userId,
    oldHash,
    newHash: await hashPassword(fresh),
    keys,
    blockedUntil,
    now,
    expiresAt: endOf(now, now),
  });
  // Another browser was faster, so the password that was given is the current one no more.
  if (!isChanged) return showPassword(c, here, { faults: ['currentWrong'] });
  giveCookie(c, id);
  return c.redirect(`${paths.account}?done=password`, 303);
}

function faultsOf(current: string, fresh: string, repeated: string): PasswordFault[] {
  const faults: PasswordFault[] = [];
  const length = Array.from(fresh).length;
  if (current === '') faults.push('currentMissing');
  if (length < shortest) faults.push('freshShort');
  else if (length > longest) faults.push('freshLong');
  else if (fresh === current) faults.push('freshSame');
  else if (repeated !== fresh) faults.push('repeatedDiffers');
  return faults;
}
