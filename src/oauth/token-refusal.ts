import type { TokenRefusalReason } from './refusals.ts';

/** Why the token endpoint gives out no token; `oauth/answer` makes the response of it. */
export class TokenRefusal extends Error {
  readonly reason: TokenRefusalReason;
  readonly hint: string | undefined;
  readonly headers: Record<string, string>;

  constructor(
    reason: TokenRefusalReason,
    options: { hint?: string; headers?: Record<string, string> } = {},
  ) {
    super(reason);
    this.reason = reason;
    this.hint = options.hint;
    this.headers = options.headers ?? {};
  }
}
