import type { Context } from 'hono';
import { sha256 } from '../crypto/sha256.ts';
import { openShard } from '../db/open.ts';
import { countAttempt, startSession } from '../db/sign-in.ts';
import type { Faces } from '../http/faces.ts';
import { settingsOf } from '../settings.ts';
import { endOf } from './current-person.ts';
import { isPassword, nobodysHash } from './password.ts';
import { readForm } from './read-form.ts';
import { showTicketFault } from './show-fault.tsx';
import { showSignIn, signInTicket } from './show-sign-in.tsx';
import { attemptKeys, throttle } from './throttle.ts';
import { giveCookie, newVisitorId, visitorOf } from './visitor.ts';

/**
 * Takes an e-mail address and a password. Right: a new cookie, a session, and on (303) to where the ticket says.
 * Wrong: the page again (422), or with the time to wait (429), which costs the same time whoever does not exist.
 */
export async function signIn(c: Context<Faces>) {
  const now = Date.now();
  const [form, visitor] = [await readForm(c), await visitorOf(c)];
  const opened = await signInTicket.open(settingsOf(c.env), visitor, form, now);
  if ('fault' in opened) return showTicketFault(c, opened.fault, opened.data?.to);
  const waiting = opened.data;
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const fields = (['email', 'password'] as const).filter((name) => !form.get(name)?.trim());
  if (fields.length > 0) {
    const fault = { kind: 'missing', fields } as const;
    return showSignIn(c, visitor, waiting, { now, status: 422, email, fault });
  }

  const directory = openShard(c.env.DIRECTORY);
  const address = c.req.header('CF-Connecting-IP');
  const keys = await attemptKeys(settingsOf(c.env), email, address);
  const attempt = await countAttempt(directory, { keys, email, throttle, now });
  const { isAllowed, account, blockedUntil } = attempt;
  const isRight = isAllowed && (await isPassword(password, account?.hash ?? nobodysHash));
  if (!isRight || !account) {
    const seconds = Math.ceil((blockedUntil - now) / 1000);
    return showSignIn(
      c,
      visitor,
      waiting,
      seconds > 0
        ? {
            now,
            email,
            status: 429,
            headers: { 'Retry-After': String(seconds) },
            fault: { kind: 'wait', seconds },
          }
        : { now, email, status: 422, fault: { kind: 'wrong' } },
    );
  }

  const id = newVisitorId();
  await startSession(directory, {
    idHash: await sha256(id),
    formerIdHash: visitor.idHash,
    userId: account.userId,
    keys,
    blockedUntil,
    now,
    expiresAt: endOf(now, now),
  });
  giveCookie(c, id);
  return c.redirect(waiting.to, 303);
}
