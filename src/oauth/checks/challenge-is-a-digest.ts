/** A5: a code challenge is the base64url of a SHA-256 digest, always 43 characters (RFC 7636, section 4.2). */
export const challengeIsADigest = (challenge: string | undefined): challenge is string =>
  challenge !== undefined && /^[A-Za-z0-9_-]{43}$/.test(challenge);
