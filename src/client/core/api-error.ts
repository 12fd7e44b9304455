import type { ErrorCode } from '../../base/error-codes.ts';
import type { ErrorDetails, LocalErrorCode } from './public.ts';

/**
 * A call that did not succeed: the refusal of the service, or a failure on the way (status 0). It
 * holds no credentials.
 */
export class ApiError extends Error implements ErrorDetails {
  readonly code: ErrorCode | LocalErrorCode;
  readonly status: number;
  readonly hint: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
  readonly requestId: string | undefined;
  readonly documentationUrl: string | undefined;
  readonly headers: Headers | undefined;

  constructor(
    code: ErrorCode | LocalErrorCode,
    details: Partial<Omit<ErrorDetails, 'code'>> & { hint: string; cause?: unknown },
  ) {
    const { status = 0, hint, errors = {}, requestId, documentationUrl, headers, cause } = details;
    const fields = Object.entries(errors).map(([name, texts]) => `${name}: ${texts.join(' ')}`);
    super([`${status ? `${status} ` : ''}${code}: ${hint}`, ...fields].join('\n  '), {
      ...(cause !== undefined && { cause }),
    });
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.hint = hint;
    this.errors = errors;
    this.requestId = requestId;
    this.documentationUrl = documentationUrl;
    this.headers = headers;
  }
}

/** The members of a refusal; those of the authorization server have other names. */
interface RefusalBody {
  message?: string;
  code?: ErrorCode;
  hint?: string;
  errors?: Record<string, string[]>;
  request_id?: string;
  documentation_url?: string;
  error?: LocalErrorCode;
  error_description?: string;
  error_uri?: string;
}

/** Returns the error of an answer that is not a success. */
export function errorOf(status: number, headers: Headers, body: string): ApiError {
  const refusal = parseRefusal(body);
  const message = refusal.message ?? refusal.error_description;
  const code =
    refusal.code ?? refusal.error ?? (status === 304 ? 'not_modified' : 'unexpected_answer');
  return new ApiError(code, {
    status,
    headers,
    hint: refusal.hint ?? message ?? hintOf(status),
    errors: refusal.errors ?? {},
    requestId: refusal.request_id ?? headers.get('X-Request-Id') ?? undefined,
    documentationUrl: refusal.documentation_url ?? refusal.error_uri,
  });
}

const hintOf = (status: number) =>
  status === 304
    ? 'The record has not changed.'
    : 'The answer is not one of the service: check baseUrl, and what stands between.';

function parseRefusal(body: string): RefusalBody {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
