import { expect } from 'vitest';
import type { ErrorCode } from '../../../src/base/error-codes.ts';

/** The messages of the contract that are not the status and its reason phrase. */
const messages: Record<number, string> = { 401: 'Unauthenticated.', 429: 'Too Many Requests' };

/** The members that every error body has, whatever the service is called by. */
const members = {
  hint: expect.stringMatching(/^[A-Z].*\.$/s),
  request_id: expect.stringMatching(/^[A-Za-z0-9_-]{8,64}$/),
};

/**
 * The value that `toEqual` expects of an error body. `message` is needed where it is not the one of
 * the contract by status.
 */
export const refusal = (status: number, code: ErrorCode, errors?: object) => ({
  ...members,
  message: messages[status] ?? expect.stringMatching(new RegExp(`^${status} [A-Z]`)),
  status_code: status,
  code,
  documentation_url: expect.stringMatching(
    new RegExp(`^https?://[^/]+/docs/guides/errors#${code}$`),
  ),
  ...(errors && { errors }),
});
