import { toBase64url } from '../crypto/base64.ts';
import { deriveKey } from '../crypto/derive.ts';
import { mac } from '../crypto/mac.ts';
import type { AttemptKeys, Throttle } from '../db/sign-in.ts';
import type { Settings } from '../settings.ts';
import { lifetimes } from './lifetimes.ts';

/** An account waits after five failures within an hour, a network after thirty: half a minute, doubling up to 15. */
export const throttle: Throttle = {
  account: 5,
  network: 30,
  window: lifetimes.failure,
  wait: 30_000,
  longest: 15 * 60_000,
};

const encoder = new TextEncoder();

/** What an attempt is counted under: keyed digests of the e-mail address and of the network it comes from. */
export async function attemptKeys(
  { sealingKey }: Pick<Settings, 'sealingKey'>,
  email: string,
  address: string | undefined,
): Promise<AttemptKeys> {
  const key = await deriveKey(sealingKey, 'sign-in-failures/v1', 'sign');
  const digest = async (text: string) => toBase64url(await mac(key, encoder.encode(text)));
  const [account, network] = await Promise.all([
    digest(`account ${email.toLowerCase()}`),
    digest(`network ${networkOf(address ?? 'unknown')}`),
  ]);
  return { account, network };
}

/** An IPv4 address, or the first 64 bits of an IPv6 one: whoever has one address there has them all. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [before = '', after] = address.toLowerCase().split('::');
  const head = before.split(':').filter(Boolean);
  const tail = after === undefined ? [] : after.split(':').filter(Boolean);
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(Math.max(zeros, 0)).fill('0'), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
