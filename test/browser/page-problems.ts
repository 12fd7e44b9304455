import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { BrowserContext, Page, Response } from 'playwright-core';

/** Folder for screenshots; none are taken without it. */
const screenshotFolder = process.env.SCREENSHOTS;

/** The minified build. */
const axeSource = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

export interface View {
  width: number;
  colorScheme: 'light' | 'dark';
}

/** Phones, a desktop at 200 %, a tablet, a small screen and a desktop. */
export const allWidths = [320, 390, 640, 768, 1024, 1280];

/** A phone and a desktop, light and dark. */
export const allViews = [320, 1280].flatMap((width): View[] => [
  { width, colorScheme: 'light' },
  { width, colorScheme: 'dark' },
]);

/** The rules of axe-core whose outcome the colour scheme can change. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** The rules of axe-core whose outcome depends on how long a text is in the present width. */
const lengthRules = ['scrollable-region-focusable'];

/**
 * The rules of axe-core whose outcome depends on the words of a text or a name, of the elements
 * that pages have.
 */
const textRules = [
  ...lengthRules,
  'aria-command-name',
  'aria-dialog-name',
  'aria-input-field-name',
  'aria-toggle-field-name',
  'button-name',
  'document-title',
  'empty-heading',
  'empty-table-header',
  'html-has-lang',
  'html-lang-valid',
  'image-alt',
  'image-redundant-alt',
  'input-button-name',
  'label',
  'label-content-name-mismatch',
  'label-title-only',
  'landmark-unique',
  'link-name',
  'role-img-alt',
  'select-name',
  'summary-name',
  'svg-img-alt',
  'table-duplicate-name',
  'valid-lang',
];

/** How a test looks at a page in a view. */
export interface Look extends View {
  /** The rules of axe-core; all without it. */
  rules?: readonly string[];
  hasLayout: boolean;
}

/**
 * Looks at a page in several views. The second colour scheme of a width changes colours only.
 * `known` is a view that another run shows.
 */
export function looksAt(views: readonly View[], known?: View): Look[] {
  const widths = new Set(known && [known.width]);
  return views
    .filter((view) => view !== known)
    .map((view) => {
      const isFirst = !widths.has(view.width);
      widths.add(view.width);
      return { ...view, hasLayout: isFirst, ...(!isFirst && { rules: colourRules }) };
    });
}

/**
 * Looks at a page in a further language: its texts are others, its elements and colours the same.
 * The width of `view` gets the rules of texts, the other one what the length of a text changes.
 */
export const looksInFurther = (view: View): Look[] =>
  allViews
    .filter(({ colorScheme }) => colorScheme === view.colorScheme)
    .map((one) => ({
      ...one,
      hasLayout: true,
      rules: one.width === view.width ? textRules : lengthRules,
    }));

/**
 * Gives the pages of a context axe-core, compiled where it is used: to send it to each page costs
 * more than to run it.
 */
export const installAxe = (context: BrowserContext) =>
  context.addInitScript({ content: `window.loadAxe = () => {${axeSource}\n};` });

/** Returns the findings of axe-core, one per line: of all rules, or of those named. */
export async function axeFindings(page: Page, only?: readonly string[]): Promise<string[]> {
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    // Users of speech input say the text of a button; axe-core does not look for that by default.
    ...(only
      ? { runOnly: [...only] }
      : { rules: { 'label-content-name-mismatch': { enabled: true } } }),
  };
  // Only the lines leave the page: the results name every rule and element.
  return page.evaluate<string[]>(`(async () => {
    if (!('axe' in window)) loadAxe();
    const { violations } = await axe.run(${JSON.stringify(options)});
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary));
  })()`);
}

/** The innermost elements that make a page wider than the window. */
export const widerThanWindow = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const wide = [...document.querySelectorAll('body *')].filter((element) =>
      element.getBoundingClientRect().right > innerWidth);
    const inner = wide.filter((element) => !wide.some((other) => other !== element && element.contains(other)));
    return inner.map(({ outerHTML }) => outerHTML.slice(0, 120));
  })()`);

/**
 * Signs that a text of a page is missing: its language, a value that is not there, or a placeholder
 * that was not filled.
 */
export async function textProblems(page: Page, language: string): Promise<string[]> {
  const shown = await page.evaluate<{ language: string; text: string }>(
    '({ language: document.documentElement.lang, text: document.title + document.body.innerText })',
  );
  const missing = shown.text.match(/\bundefined\b|\bNaN\b|\[object |\$?\{\w+\}/g) ?? [];
  return shown.language === language ? missing : [`is in ${shown.language}`, ...missing];
}

/**
 * The most bytes of a page, uncompressed: of its HTML with the styles, scripts and pictures that it
 * loads.
 */
const maxPageBytes = 60_000;

/** What a visit to a page has loaded. */
export interface Load {
  /** The answer to the last page that was opened. */
  document: () => Response | undefined;
  /** Every address that was asked for. */
  urls: string[];
}

/** Records what the page loads from now on. Replaces an earlier record. */
export function recordLoad(page: Page): Load {
  let document: Response | undefined;
  const urls: string[] = [];
  page.removeAllListeners('request');
  page.removeAllListeners('response');
  page.on('request', (request) => urls.push(request.url()));
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest() && response.status() !== 303;
    if (isPage && response.frame() === page.mainFrame()) document = response;
  });
  return { urls, document: () => document };
}

/** The sizes of the files that pages load, by their addresses. */
const knownBytes = new Map<string, number>();

async function bytesOf(page: Page, url: string): Promise<number> {
  const bytes = knownBytes.get(url) ?? (await (await page.request.get(url)).body()).length;
  knownBytes.set(url, bytes);
  return bytes;
}

const filesOf = (page: Page) =>
  page.evaluate<string[]>(
    `Array.from(document.querySelectorAll('link[rel~=stylesheet], link[rel~=icon], script[src], img'), ({ href, src }) => href || src)`,
  );

/** What a page has above {@link maxPageBytes}, and what it loads from another origin. */
export async function weightProblems(page: Page, { document, urls }: Load): Promise<string[]> {
  const { origin } = new URL(page.url());
  const isForeign = (url: string) => !/^(data|blob):/.test(url) && new URL(url).origin !== origin;
  const foreign = urls.filter(isForeign).map((url) => `loads ${url}`);
  const answer = document();
  // A mail is no answer of a server.
  if (!answer) return page.url() === 'about:blank' ? urls : ['has no answer'];
  const own = [...new Set(await filesOf(page))].filter((url) => !url.startsWith('data:'));
  const sizes = await Promise.all(own.map((url) => bytesOf(page, url)));
  const bytes = sizes.reduce((sum, size) => sum + size, (await answer.body()).length);
  return bytes > maxPageBytes ? [...foreign, `has ${bytes} bytes`] : foreign;
}

/**
 * Links, fields and buttons that a reader sees, but those of passkeys and those that copy, which
 * only scripts can do.
 */
const controlsOf = (page: Page) =>
  page.evaluate<string[]>(`Array.from(
    document.querySelectorAll(':is(header, nav, main) :is(a[href], button, input, select, textarea, summary)'),
  ).filter((control) => control.checkVisibility() && !control.matches('figure.code button, [data-passkey] button, [href$="/passkeys/new"]'))
    .map((control) => control.tagName + ' ' + (control.name || control.textContent.trim()))`);

/**
 * Links, fields and buttons that a page shows only with scripts. Opens one that has scripts again
 * in `plain`, a page without scripts with the same cookies. Only of answers to GET. The page that
 * makes a passkey needs one, and says so.
 */
export async function scriptProblems(
  page: Page,
  plain: Page,
  { document }: Load,
): Promise<string[]> {
  const answer = document();
  if (answer?.request().method() !== 'GET' || page.url().endsWith('/passkeys/new')) return [];
  if ((await page.evaluate<number>('document.scripts.length')) === 0) return [];
  await plain.context().clearCookies();
  await plain.context().addCookies(await page.context().cookies());
  await plain.setViewportSize(page.viewportSize()!);
  await plain.goto(page.url());
  const without = new Set(await controlsOf(plain));
  return (await controlsOf(page)).filter((control) => !without.has(control));
}

/** Classes that look like plain text on purpose. */
const plainClasses = new Set(['neutral', 'get', 'qr-code']);

/**
 * Classes of a page that none of its style sheets has a rule for, so that their elements look like
 * bare ones.
 */
const classesWithoutRule = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const selectorsOf = ({ selectorText = '', cssRules = [] }) =>
      [selectorText, ...Array.from(cssRules, selectorsOf)].join(' ');
    const selectors = Array.from(document.styleSheets, selectorsOf).join(' ');
    const named = new Set(selectors.match(/\\.[\\w-]+/g));
    const used = Array.from(document.querySelectorAll('main [class]'), ({ classList }) => [...classList]);
    return [...new Set(used.flat())].filter((name) => !named.has('.' + name));
  })()`);

/** The primary buttons of a page in view but the first: only the likely next step is one. */
const furtherPrimaries = (page: Page) =>
  page.evaluate<string[]>(`Array.from(
    document.querySelectorAll('main :is(.button, button):not(.plain, .danger, .quiet, figure *, #reference *)'),
  ).filter((button) => button.checkVisibility()).slice(1).map(({ textContent }) => textContent.trim())`);

/** Whether something lies over the first heading when the page is opened. */
const isHeadingCovered = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    scrollTo(0, 0);
    const heading = document.querySelector('h1');
    const { left, top, height } = heading.getBoundingClientRect();
    const shown = document.elementFromPoint(left + 4, top + height / 2);
    return shown !== null && !heading.contains(shown);
  })()`);

/**
 * Texts that lie on a control, values below their names, tabs beyond the edge, texts whose parts
 * stand apart, and words that end in another line than they begin. Addresses and names without a
 * space may. The head of a table is hidden on a phone.
 */
const textFaults = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const shown = (element) =>
      element.checkVisibility() &&
      !element.closest('.visually-hidden') &&
      element.closest('thead')?.offsetHeight !== 1;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
    const faults = [];
    const controls = all('main :is(input, select, textarea, button)');
    for (const text of all('main :is(label, legend, .tag, .state, td, dt, dd)')) {
      const box = text.getBoundingClientRect();
      for (const control of controls) {
        if (text.contains(control) || control.contains(text) || control.closest('.decision')) continue;
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const [wide, high] = [
          Math.min(right, box.right) - Math.max(left, box.left),
          Math.min(bottom, box.bottom) - Math.max(top, box.top),
        ];
        if (wide > 1 && high > 1) faults.push('a control lies over "' + text.textContent + '"');
      }
    }
    for (const tab of all('.tabs a')) {
      if (tab.getBoundingClientRect().right > innerWidth - 8) faults.push('the tab ' + tab.textContent + ' is cut');
    }
    for (const parent of all('body :is(a, button, p, li, span, dd, td, th, h1, h2, h3, label)')) {
      const { display, columnGap } = getComputedStyle(parent);
      // Parts with a gap are meant to stand apart, as a method beside its operation.
      if (!/flex|grid/.test(display) || parseFloat(columnGap) > 0) continue;
      const parts = [...parent.childNodes].filter((node) =>
        node.textContent.trim() && (node.nodeType === Node.TEXT_NODE || !node.matches('.visually-hidden, [aria-hidden]')));
      const hasText = parts.some((node) => node.nodeType === Node.TEXT_NODE);
      if (hasText && parts.length > 1) faults.push('"' + parent.textContent + '" falls apart');
    }
    const top = all('.top :is(a, button)').map((control) => control.getBoundingClientRect());
    if (top.some(({ bottom, right }, index) => top[index + 1] && top[index + 1].bottom <= bottom - 8 && top[index + 1].right <= right + 400)) {
      faults.push('the focus goes up in the navigation');
    }
    const range = document.createRange();
    const lineOf = (element) => {
      range.selectNodeContents(element);
      return [...range.getClientRects()].find(({ width, height }) => width > 1 && height > 1 && height < 30);
    };
    for (const value of all('main .facts > dt + dd')) {
      const [name, line] = [lineOf(value.previousElementSibling), lineOf(value)];
      if (name && line && line.left > name.right && Math.abs(line.bottom - name.bottom) > 6) {
        faults.push('"' + value.textContent + '" stands below its name');
      }
    }
    for (const parent of all('main :is(h1, h2, h3, label, legend, button, a, th, td, dt, strong, .tag, time)')) {
      for (const node of parent.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || node.data.includes('://')) continue;
        for (const { 0: word, index } of node.data.matchAll(/GMT\\S+|\\p{L}{2,24}/gu)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (/\\S{30,}/.test(node.data.slice(Math.max(0, index - 80), index + 80))) continue;
          const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)));
          if (lines.size > 1) faults.push('"' + word + '" is cut');
        }
      }
    }
    return faults;
  })()`);

/** Shows a page in a width and a colour scheme, and takes a screenshot. */
async function showView(page: Page, name: string, { width, colorScheme }: View) {
  await page.setViewportSize({ width, height: 800 });
  await page.emulateMedia({ colorScheme });
  if (!screenshotFolder) return;
  mkdirSync(screenshotFolder, { recursive: true });
  const path = join(screenshotFolder, `${name}-${width}-${colorScheme}.png`);
  await page.screenshot({ path, fullPage: true });
}

/** What is wrong with the layout of a page in the present width. */
async function layoutProblems(page: Page): Promise<string[]> {
  const problems = await textFaults(page);
  for (const html of await widerThanWindow(page)) problems.push(`scrolls sideways: ${html}`);
  if (await isHeadingCovered(page)) problems.push('the heading is covered');
  for (const button of await furtherPrimaries(page)) problems.push(`also primary: ${button}`);
  for (const name of await classesWithoutRule(page)) {
    if (!plainClasses.has(name)) problems.push(`no rule for .${name}`);
  }
  return problems;
}

/** Returns what is wrong with a page in several views. */
export async function findProblems(
  page: Page,
  name: string,
  looks: readonly Look[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const { rules, hasLayout, ...view } of looks) {
    await showView(page, name, view);
    const found = await axeFindings(page, rules);
    if (hasLayout) found.push(...(await layoutProblems(page)));
    const { width, colorScheme } = view;
    problems.push(...found.map((fault) => `${name} at ${width}, ${colorScheme}: ${fault}`));
  }
  const looked = new Set(looks.flatMap(({ width, hasLayout }) => (hasLayout ? [width] : [])));
  for (const width of allWidths.filter((one) => !looked.has(one))) {
    await page.setViewportSize({ width, height: 800 });
    problems.push(...(await layoutProblems(page)).map((fault) => `${name} at ${width}: ${fault}`));
  }
  return problems;
}
