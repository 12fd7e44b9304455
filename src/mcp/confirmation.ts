import { canonicalJson } from '../base/codecs/canonical-json.ts';
import { cleanFormLine } from '../base/codecs/fields/normalize-text.ts';
import { fromBase64, toBase64url } from '../base/crypto/base64.ts';
import { computeMac, verifyMac } from '../base/crypto/hmac.ts';
import { deriveKey, rootsOf, type KeyRing } from '../base/crypto/keys.ts';
import { randomBase64url } from '../base/crypto/random.ts';
import { minuteMs } from '../base/durations.ts';
import { HttpError } from '../base/errors.ts';
import { countOf, isOwnName } from './own-arguments.ts';
import type { Arguments } from './tool-request.ts';
import type { Tool } from './tool.ts';

/** The longest text that an operation may read as a word, in characters. */
const maxWord = 255;

/**
 * Whether a call needs the person's consent: a deletion, or one that moves money or releases goods.
 */
export const needsConfirmation = ({ confirmation }: Tool, sent: Arguments): boolean =>
  confirmation !== undefined &&
  (confirmation.unless === undefined ||
    Object.entries(confirmation.unless).some(([name, values]) => {
      const value = sent[name] ?? undefined;
      // An operation reads a word without the blanks and marks around it.
      const read = typeof value === 'string' ? cleanFormLine(value, maxWord) : value;
      return read !== undefined && !values.includes(read);
    }));

/** The last id of the path, where the record itself is not read. */
export function calledById({ path }: Tool, sent: Arguments): string {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  return String(sent[names.at(-1) ?? ''] ?? '');
}

/**
 * The name of a record as its operation shows it, else its number or its id. No question repeats
 * what strangers wrote.
 */
export function calledByRecord(tool: Tool, sent: Arguments, shown: unknown): string {
  const { data = shown } = shown as { data?: unknown };
  const { name, number } = ([data].flat()[0] ?? {}) as Record<string, unknown>;
  if (typeof name === 'string' && name !== '' && !tool.confirmation?.isNameForeign) return name;
  return typeof number === 'number' ? String(number) : calledById(tool, sent);
}

/** The longest arguments of a question, in characters. */
const maxAsked = 200;

/** The question to the person: what is done, to what, and with what. */
export function questionOf(tool: Tool, called: string, sent: Arguments): string {
  const { title, path } = tool;
  const others = Object.entries(sent)
    .filter(([name]) => !isOwnName(tool, name) && !path.includes(`{${name}}`))
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${countOf(name, value) ?? name}: ${text}`;
    })
    .join(', ');
  return `${title}: ${called}${others === '' ? '' : ` (${others.slice(0, maxAsked)})`}?`;
}

/** A call that needs consent: nothing else is consented to. */
export const callText = (caller: string, tool: Tool, sent: Arguments): string => {
  const taken = Object.entries(sent).filter(([argument]) => !isOwnName(tool, argument));
  return canonicalJson(JSON.stringify([caller, tool.name, Object.fromEntries(taken)]));
};

const keyLabel = 'assistant-consent/v1';

/** How long a person may think, in minutes. */
const lifetimeMinutes = 10;

const encoder = new TextEncoder();

const signed = (ends: string, nonce: string, call: string) =>
  encoder.encode(`${ends}.${nonce}.${call}`);

/**
 * Makes the word that stands for the consent to one call. It is also the idempotency key of that
 * call, so it works once.
 */
export async function makeWord(keys: KeyRing, call: string, now: number): Promise<string> {
  const ends = Math.ceil(now / minuteMs + lifetimeMinutes).toString(36);
  const nonce = randomBase64url(3);
  const key = await deriveKey(keys.current, keyLabel, 'sign');
  return `${ends}.${nonce}.${toBase64url(await computeMac(key, signed(ends, nonce, call), 9))}`;
}

/** Whether a text is the word of this very call, and not too old. */
export async function isWordOf(
  keys: KeyRing,
  word: unknown,
  call: string,
  now: number,
): Promise<boolean> {
  const [, ends = '', nonce = '', tag = ''] =
    /^([0-9a-z]{1,8})\.([\w-]{4})\.([\w-]{12})$/.exec(String(word).trim()) ?? [];
  if (tag === '' || Number.parseInt(ends, 36) * minuteMs < now) return false;
  const checks = rootsOf(keys).map(async (root) =>
    verifyMac(await deriveKey(root, keyLabel, 'sign'), signed(ends, nonce, call), fromBase64(tag)),
  );
  return (await Promise.all(checks)).includes(true);
}

/**
 * The refusal of an unconfirmed call where the host shows no forms. It says what to send after the
 * person's yes.
 */
export const confirmationRequired = (question: string, word: string): HttpError =>
  new HttpError('confirmation_required', {
    errors: { confirm: [`Must be ${JSON.stringify(word)}, after the consent of the person.`] },
    hint: `Ask the person: "${question}" After a yes, repeat this very call with confirm: "${word}", within ten minutes. It works once.`,
  });

/** The refusal of a call to which the person said no. */
export const declined = (question: string): HttpError =>
  new HttpError('confirmation_required', {
    hint: `Do not repeat the call: the person was asked ("${question}") and did not agree.`,
  });
