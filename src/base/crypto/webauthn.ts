import { createHash, createPublicKey, verify } from 'node:crypto';
import * as z from 'zod';
import { fromBase64, toBase64url } from './base64.ts';

const encoded = (maxLength: number) =>
  z
    .string()
    .regex(/^[\w-]+$/)
    .max(maxLength);

const answerSchema = z.object({
  /** At most 1,023 bytes. */
  id: encoded(1_364),
  clientDataJSON: encoded(4_096),
  authenticatorData: encoded(8_192),
  /** Of a new passkey only: its public key as SubjectPublicKeyInfo. */
  publicKey: encoded(2_048).optional(),
  /**
   * The signature of a use, and the handle of the user that the authenticator keeps with the
   * passkey.
   */
  signature: encoded(2_048).optional(),
  userHandle: encoded(128).optional(),
});

/**
 * The answer of an authenticator, as the script of our pages sends it: bytes as base64url
 * (WebAuthn, level 2).
 */
export type PasskeyAnswer = z.infer<typeof answerSchema>;

/** Parses the answer of an authenticator; `undefined` for any other text. */
export function parsePasskeyAnswer(text: string): PasskeyAnswer | undefined {
  try {
    return answerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The request that an answer must belong to. */
export interface PasskeyRequest {
  /** Base64url. */
  challenge: string;
  origin: string;
  /** The host that the passkeys of this service belong to. */
  rpId: string;
}

/**
 * Verifies the answer of a new passkey, without attestation: that it belongs to the request, and
 * that the user was verified. Nothing signs the key itself, so whoever sends it is who can use it.
 * Returns `undefined` for any other answer.
 */
export async function verifyNewPasskey(
  answer: PasskeyAnswer,
  request: PasskeyRequest,
): Promise<{ id: string; publicKey: string; signCount: number } | undefined> {
  const { id, publicKey } = answer;
  const data = checkAnswer(answer, 'webauthn.create', request);
  if (!data || publicKey === undefined || !(await isSupportedKey(publicKey))) return undefined;
  return data.credentialId === id ? { id, publicKey, signCount: data.signCount } : undefined;
}

/**
 * Verifies the answer of a passkey in use: that it belongs to the request, that the user was
 * verified, and the signature. Returns the count of signatures, which the caller compares with the
 * last one; `undefined` for any other answer.
 */
export function verifyPasskey(
  answer: PasskeyAnswer,
  request: PasskeyRequest,
  publicKey: string,
): { signCount: number } | undefined {
  const data = checkAnswer(answer, 'webauthn.get', request);
  if (!data || answer.signature === undefined) return undefined;
  const digest = createHash('sha256').update(fromBase64(answer.clientDataJSON)).digest();
  const signed = new Uint8Array([...fromBase64(answer.authenticatorData), ...digest]);
  const key = { key: Buffer.from(fromBase64(publicKey)), format: 'der', type: 'spki' } as const;
  try {
    // The signature of an elliptic curve is in DER, as `verify` expects it.
    const isRight = verify('sha256', signed, createPublicKey(key), fromBase64(answer.signature));
    return isRight ? { signCount: data.signCount } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Flags of authenticator data: user present, user verified, may be backed up, is backed up, has a
 * credential.
 */
const flag = { present: 1, verified: 4, mayBackUp: 8, isBackedUp: 16, hasCredential: 64 };

/**
 * Offsets in authenticator data (WebAuthn, section 6.1): 32 bytes of digest come first, after the
 * count the credential.
 */
const offset = { flags: 32, count: 33, credential: 37, idLength: 53, id: 55 };

/**
 * Checks what the answers of new and known passkeys share, and returns the parts of the
 * authenticator data.
 */
function checkAnswer(
  { clientDataJSON, authenticatorData }: PasskeyAnswer,
  type: 'webauthn.create' | 'webauthn.get',
  { challenge, origin, rpId }: PasskeyRequest,
): { signCount: number; credentialId: string | undefined } | undefined {
  const client = parseClientData(clientDataJSON);
  const isOurs = client?.type === type && client.challenge === challenge;
  // A page of another origin that frames ours is refused as well.
  if (!isOurs || client.origin !== origin || client.crossOrigin === true || client.topOrigin)
    return undefined;
  const bytes = decode(authenticatorData);
  if (!bytes || bytes.length < offset.credential) return undefined;
  const host = createHash('sha256').update(rpId).digest();
  if (!host.equals(bytes.subarray(0, offset.flags))) return undefined;
  const flags = bytes[offset.flags] ?? 0;
  const has = (wanted: number) => (flags & wanted) === wanted;
  if (!has(flag.present | flag.verified) || (has(flag.isBackedUp) && !has(flag.mayBackUp)))
    return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const idEnd =
    has(flag.hasCredential) && bytes.length >= offset.id
      ? offset.id + view.getUint16(offset.idLength)
      : 0;
  return {
    signCount: view.getUint32(offset.count),
    credentialId:
      idEnd > offset.id && idEnd <= bytes.length
        ? toBase64url(bytes.subarray(offset.id, idEnd))
        : undefined,
  };
}

const clientDataSchema = z.object({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
  topOrigin: z.string().optional(),
});

function parseClientData(text: string) {
  try {
    return clientDataSchema.safeParse(JSON.parse(new TextDecoder().decode(fromBase64(text)))).data;
  } catch {
    return undefined;
  }
}

function decode(text: string): Uint8Array | undefined {
  try {
    return fromBase64(text);
  } catch {
    return undefined;
  }
}

/** Whether a public key is one of P-256 (ES256), or an RSA key of at least 2,048 bits (RS256). */
async function isSupportedKey(publicKey: string): Promise<boolean> {
  const bytes = decode(publicKey);
  if (!bytes) return false;
  const read = async (algorithm: Parameters<typeof crypto.subtle.importKey>[2]) => {
    try {
      return (await crypto.subtle.importKey('spki', bytes, algorithm, true, ['verify'])).algorithm;
    } catch {
      return undefined;
    }
  };
  if (await read({ name: 'ECDSA', namedCurve: 'P-256' })) return true;
  const rsa = await read({ name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' });
  return rsa !== undefined && Number((rsa as { modulusLength?: number }).modulusLength) >= 2_048;
}
