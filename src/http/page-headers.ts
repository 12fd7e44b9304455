/** The rights of a page beyond showing itself. */
interface PageRights {
  /** The allowed targets of its forms, including redirects that follow. */
  formTargets?: readonly string[];
  /** Further directives of the Content Security Policy, which replace those of the same name. */
  directives?: Readonly<Record<string, string>>;
}

/** Headers of every HTML page: they forbid other hosts, inline code, frames and referrers. */
export const pageHeaders = ({ formTargets = [], directives = {} }: PageRights = {}) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': Object.entries({
    'default-src': "'none'",
    'style-src': "'self'",
    'script-src': "'self'",
    // The logo and the icon are files of this service.
    'img-src': "'self' data:",
    'base-uri': "'none'",
    'form-action': formTargets.length > 0 ? formTargets.join(' ') : "'none'",
    'frame-ancestors': "'none'",
    ...directives,
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});
