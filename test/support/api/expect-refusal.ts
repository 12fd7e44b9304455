import { expect } from 'vitest';
import { z } from 'zod';
import { errorCodes, type ErrorCode } from '../../../src/base/error-codes.ts';
import { recordCode } from './observed-statuses.ts';

const sentence = z.string().regex(/^[A-Z].*\.$/s);

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** The members of every error body. */
const refusalMembers = {
  message: z.string().min(1),
  status_code: z.int(),
  code: z.enum(codes),
  hint: sentence,
  request_id: z.string(),
  documentation_url: z.url({ protocol: /^https?$/ }),
};

const ErrorBody = z.strictObject({
  ...refusalMembers,
  errors: z.record(z.string(), z.array(sentence).min(1)).optional(),
});

/** The 404 of a list without any match. */
const EmptyListBody = z.strictObject({
  ...refusalMembers,
  data: z.array(z.unknown()).length(0),
  meta: z.looseObject({}),
});

/**
 * Asserts that an error has the documented body and headers, and records its code in the running
 * test.
 */
export function expectRefusal(response: { status: number; headers: Headers; body: unknown }) {
  const { status, headers } = response;
  const label = JSON.stringify(response.body);
  const { data: body, error } = z.union([ErrorBody, EmptyListBody]).safeParse(response.body);
  expect(error?.issues, label).toBeUndefined();
  if (!body) return;
  const { code } = body;
  const [expected] = errorCodes[code];
  // The only code with two statuses: each operation has one of them for an invalid body.
  const statuses = code === 'invalid_body' ? [400, 422] : [expected];
  expect(statuses, label).toContain(status);
  expect(body, label).toMatchObject({
    status_code: status,
    request_id: headers.get('X-Request-Id'),
    documentation_url: expect.stringMatching(new RegExp(`/docs/guides/errors#${code}$`)),
  });
  expect(headers.get('Cache-Control'), label).toBe('private, no-store');
  if (status === 429) expectLimit(headers);
  recordCode(code);
}

/** Asserts that a 429 names its policy, and the same wait twice. */
function expectLimit(headers: Headers) {
  const [, name, wait] = /^"([a-z-]+)";r=0;t=(\d+)$/.exec(headers.get('RateLimit') ?? '') ?? [];
  expect(name).toBeDefined();
  expect(headers.get('Retry-After')).toBe(wait);
  expect(headers.get('RateLimit-Policy')).toMatch(new RegExp(`^"${name}";q=\\d+;`));
}
