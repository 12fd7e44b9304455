import { formAccess } from '../../api/form-access.ts';
import { MerchantBrowser } from '../oauth/merchant.ts';

/** A form as a page shows it to one of the users of the demo. */
export interface ShownForm {
  action: string;
  /** The cookies of its user. */
  cookie: string;
  /** Names of fields with the values that they have, one pair for each choice. */
  fields: readonly (readonly [name: string, value: string])[];
  takesFile: boolean;
}

/** What the users of the demo see. */
export interface ShownPages {
  /** Addresses of pages with the cookies of a user who sees them. */
  pages: readonly { path: string; cookie: string }[];
  forms: readonly ShownForm[];
}

const users = [
  ['ana@demo.test', '/account'],
  ['paula@demo.test', '/partners'],
  ['olga@demo.test', '/operator'],
] as const;

/**
 * Forms after which the users, their stores and apps would no longer be what the others forms need.
 */
const ending = [
  ...Object.keys({ ...formAccess.ends, ...formAccess.own }),
  '/account/password',
  '/account/stores/:alias/second-factor',
  '/account/stores/:alias/members/:userId/hand-over',
  '/operator/stores/:id/rename',
  '/operator/stores/:id/move',
  '/operator/databases/:number/empty',
].map((path) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));

/** The characters of a value in HTML. */
const decode = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const attribute = (tag: string, name: string) => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : decode(found);
};

function formsOf(html: string, cookie: string): ShownForm[] {
  return Array.from(html.matchAll(/<form\b[^>]*method="post"[^>]*>[\s\S]*?<\/form>/g), ([form]) => {
    const tags = Array.from(form.matchAll(/<(?:input|textarea|select|button|option)\b[^>]*>/g));
    let select = '';
    const fields = tags.flatMap(([tag]): [string, string][] => {
      const name = attribute(tag, 'name');
      if (tag.startsWith('<select')) select = name ?? '';
      const named = tag.startsWith('<option') ? select : name;
      const isFile = attribute(tag, 'type') === 'file';
      if (!named || isFile || tag.startsWith('<select')) return [];
      return [[named, attribute(tag, 'value') ?? '']];
    });
    return {
      action: attribute(form, 'action') ?? '',
      cookie,
      fields,
      takesFile: form.includes('type="file"'),
    };
  }).filter(({ action }) => action.startsWith('/') && !ending.some((path) => path.test(action)));
}

/** Signs the users of the demo in, and follows the links of their pages: the first of each kind. */
export async function crawlPages(origin: string): Promise<ShownPages> {
  const pages = new Map<string, { path: string; cookie: string }>();
  const forms = new Map<string, ShownForm>();
  for (const [email, start] of users) {
    const browser = new MerchantBrowser(origin);
    await browser.signIn('/account', email, `demo-password-${email.split('@', 1)[0]}`);
    const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ');
    const paths = [start, '/account'];
    for (let path = paths.pop(); path !== undefined && pages.size < 400; path = paths.pop()) {
      const kind = path.replace(/\?.*/, '').replaceAll(/\/\d+(?=\/|$)/g, '/1');
      if (pages.has(`${email} ${kind}`)) continue;
      pages.set(`${email} ${kind}`, { path, cookie });
      const { html } = await browser.send(path);
      for (const form of formsOf(html, cookie)) forms.set(`${email} ${form.action}`, form);
      const links = Array.from(
        html.matchAll(/<a\b[^>]*>/g),
        ([tag]) => attribute(tag, 'href') ?? '',
      );
      paths.push(...links.filter((link) => /^\/(?:account|partners|operator)\b/.test(link)));
    }
  }
  return { pages: [...pages.values()], forms: [...forms.values()] };
}
