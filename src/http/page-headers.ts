/**
 * The headers of every page: nothing of another host, no inline code, no frame, no referrer. `formTargets` are
 * where its forms may lead, redirects after them included.
 */
export const pageHeaders = (formTargets: readonly string[] = []) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    `form-action ${formTargets.length > 0 ? formTargets.join(' ') : "'none'"}`,
    "frame-ancestors 'none'",
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});
