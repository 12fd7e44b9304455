import { toBase64url } from '../crypto/base64.ts';
import { computeMac } from '../crypto/hmac.ts';
import { deriveKey } from '../crypto/keys.ts';
import type { SignInKeys, SignInThrottle } from '../db/directory/sign-in.ts';
import type { Settings } from '../settings.ts';
import { sessionLifetimes } from './lifetimes.ts';

/** After 5 failures of an account or 30 of a network within an hour, waits double from 30 seconds to 15 minutes. */
export const signInThrottle: SignInThrottle = {
  maxAccountFailures: 5,
  maxNetworkFailures: 30,
  windowMs: sessionLifetimes.failure,
  firstWaitMs: 30_000,
  maxWaitMs: 15 * 60_000,
};

const encoder = new TextEncoder();

/** Computes the keys that an attempt is counted under: MACs of the e-mail address and of the client's network. */
export async function computeAttemptKeys(
  { sealingKey }: Pick<Settings, 'sealingKey'>,
  email: string,
  address: string | undefined,
): Promise<SignInKeys> {
  const key = await deriveKey(sealingKey, 'sign-in-failures/v1', 'sign');
  const digest = async (text: string) => toBase64url(await computeMac(key, encoder.encode(text)));
  const [account, network] = await Promise.all([
    digest(`account ${email.toLowerCase()}`),
    digest(`network ${networkPrefix(address ?? 'unknown')}`),
  ]);
  return { account, network };
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address: a client usually controls that whole range. */
export function networkPrefix(address: string): string {
  if (!address.includes(':')) return address;
  const [beforeGap = '', afterGap] = address.toLowerCase().split('::');
  const head = beforeGap.split(':').filter(Boolean);
  const tail = afterGap === undefined ? [] : afterGap.split(':').filter(Boolean);
  const zeros = afterGap === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
