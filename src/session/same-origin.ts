/**
 * Whether a browser says that a form was sent from a page of this very origin. Our pages send no referrer, so
 * `Origin` is `null` in browsers that hold to the Fetch standard; `Sec-Fetch-Site`, which no page can set, then
 * decides. A request that says neither is refused.
 */
export function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  const origin = request.headers.get('Origin');
  if (site !== null && site !== 'same-origin') return false;
  if (origin === null || origin === 'null') return site !== null;
  return origin === new URL(request.url).origin;
}
