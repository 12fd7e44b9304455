import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './app-env.ts';

/** When callers of an operation should use another. Dates are days of UTC, such as `2027-01-31`. */
export interface Deprecation {
  since: string;
  /** From this day on the operation may be gone. */
  sunset?: string;
  /** The page of the documentation about the replacement. */
  link?: string;
}

/** Middleware: announces with each response, errors included, that the operation is deprecated (RFC 9745, RFC 8594). */
export function announceDeprecation({
  since,
  sunset,
  link,
}: Deprecation): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    c.res.headers.set('Deprecation', `@${Date.parse(since) / 1000}`);
    if (sunset !== undefined) c.res.headers.set('Sunset', new Date(sunset).toUTCString());
    if (link !== undefined) {
      // A page of a list has links of its own.
      for (const relation of ['deprecation', ...(sunset === undefined ? [] : ['sunset'])]) {
        c.res.headers.append('Link', `<${link}>; rel="${relation}"; type="text/html"`);
      }
    }
  };
}

/** Returns the text of the document about a deprecated operation. */
export const describeDeprecation = ({ since, sunset, link }: Deprecation): string =>
  [
    `Deprecated since ${since}.`,
    sunset === undefined ? '' : `From ${sunset} on it may be gone.`,
    link === undefined ? '' : `What to use instead: ${link}`,
  ]
    .filter(Boolean)
    .join(' ');
