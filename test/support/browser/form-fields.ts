/** Returns the hidden fields of the form on a page whose action is a path. */
export function hiddenFieldsOf({ html }: { html: string }, action: string): Record<string, string> {
  const start = html.indexOf(`action="${action}"`);
  if (start < 0) throw new Error(`no form for ${action}`);
  const form = html.slice(start, html.indexOf('</form>', start));
  const hidden = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, value]));
}

/**
 * Returns the paths that the forms of a page post to, without the one that signs out, which each
 * page has.
 */
export const formActionsOf = ({ html }: { html: string }): string[] =>
  Array.from(html.matchAll(/<form[^>]* action="([^"]*)"/g), ([, action = '']) => action).filter(
    (action) => action !== '/session/end',
  );
