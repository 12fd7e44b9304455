/**
 * The font of all pages: Inter from its basic to its semibold weight, with the letters of Europe.
 * `npm run build:docs` checks the address.
 */
export const fontHref = '/assets/docs/inter.03a94afa03fb7f.woff2';

// Where the font is not there yet, a local one stands in as wide and as high as it.
const fontFace = `
@font-face { font-family: Inter; font-weight: 400 600; font-display: swap; src: url('${fontHref}') format('woff2'); }
@font-face { font-family: 'Inter before'; src: local('Arial'), local('Liberation Sans'); size-adjust: 107%;
  ascent-override: 90%; descent-override: 22.5%; line-gap-override: 0%; }
`.trim();

/** All colours and sizes of the pages, for light and dark mode. No other file defines any. */
const designTokens = `
:root {
  color-scheme: light dark;
  --font: Inter, 'Inter before', system-ui, sans-serif;
  /** Text, what is named or pressed, and headings. No other weight is used. */
  --medium: 500;
  --bold: 600;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  --narrow: 28rem;
  --wide: 60rem;
  --page: 66rem;
  --step-1: 0.25rem;
  --step-2: 0.5rem;
  --step-3: 0.75rem;
  --step-4: 1rem;
  --step-6: 1.5rem;
  --step-8: 2rem;
  --step-12: 3rem;
  --target: 2.75rem;
  --radius: 8px;
  --shadow: 0 1px 2px rgb(16 24 40 / 6%);
  --lift: 0 1px 2px rgb(16 24 40 / 8%), 0 8px 24px rgb(16 24 40 / 12%);
  --paper: #ffffff;
  --surface: #f5f6f8;
  --ink: #1b1f24;
  --muted: #57606a;
  --line: #e1e5ea;
  --control: #7d8590;
  --accent: #0b57d0;
  --on-accent: #ffffff;
  --danger: #b3261e;
  --danger-surface: #fdf1f0;
  --good: #176f31;
  --warn: #815300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --shadow: none;
    --lift: 0 1px 2px rgb(0 0 0 / 60%), 0 8px 24px rgb(0 0 0 / 50%);
    --paper: #14171a;
    --surface: #1e2227;
    --ink: #e6e8eb;
    --muted: #a8b1bb;
    --line: #363c44;
    --control: #818a95;
    --accent: #8ab4f8;
    --on-accent: #0b1a33;
    --danger: #ff9c94;
    --danger-surface: #2c1b1a;
    --good: #7fdb9c;
    --warn: #f0c36b;
  }
}
`.trim();

const text = `
*, *::before, *::after { box-sizing: border-box; }
html { font: 100%/1.5 var(--font); font-optical-sizing: none; color: var(--ink); background: var(--paper);
  -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: var(--step-4); }
body { margin: 0; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: var(--step-8) 0 var(--step-3); text-wrap: balance; }
h1, h2, h3, h4, strong, b { font-weight: var(--bold); }
h1 { font-size: 1.625rem; margin-top: 0; letter-spacing: -0.02em; }
h2 { font-size: 1.1875rem; letter-spacing: -0.01em; }
h3 { font-size: 1rem; }
h4 { font-size: 0.9375rem; margin-top: var(--step-6); }
p, ul, ol, dl, figure, table, details { margin: 0 0 var(--step-4); }
ul, ol { padding-inline-start: var(--step-6); }
a { color: var(--accent); text-underline-offset: 0.15em; }
a, button, caption { text-wrap: balance; }
code, kbd, samp, pre { font-family: var(--mono); font-size: 0.875em; }
code { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
hr { border: 0; border-top: 1px solid var(--line); margin: var(--step-8) 0; }
summary { cursor: pointer; min-height: var(--target); padding-block: var(--step-2); }
.muted { color: var(--muted); }
.visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; inset-inline-start: var(--step-4); top: -10rem; z-index: 2;
  padding: var(--step-3) var(--step-4); background: var(--paper); border-radius: var(--radius); }
.skip:focus { top: var(--step-2); }
`;

const layout = `
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--step-6);
  padding: var(--step-2) var(--step-4); border-bottom: 1px solid var(--line); }
.bar a { display: inline-flex; align-items: center; min-height: var(--target); color: inherit; }
.bar > :first-child { font-weight: var(--medium); text-decoration: none; margin-inline-end: auto; }
.column { width: 100%; max-width: var(--wide); margin-inline: auto;
  padding: var(--step-6) var(--step-4) var(--step-12); }
.column.narrow { max-width: var(--narrow); }
.app-logo { display: inline-flex; align-items: center; justify-content: center; flex: none; width: 3rem;
  height: 3rem; border-radius: var(--radius); object-fit: contain; font-size: 1.25rem; font-weight: var(--medium); }
img.app-logo { background: #fff; }
span.app-logo { background: var(--accent); color: var(--on-accent); }
.named { display: flex; align-items: center; gap: var(--step-3); margin-bottom: var(--step-3); }
.named > :last-child { margin: 0; min-width: 0; }
form + p { margin-top: var(--step-4); }
.card { padding: var(--step-4); border: 1px solid var(--line); border-radius: var(--radius);
  background: var(--paper); box-shadow: var(--shadow); margin-bottom: var(--step-4); }
.notice { padding: var(--step-3) var(--step-4); border-inline-start: 4px solid var(--accent);
  background: var(--surface); border-radius: var(--radius); margin-bottom: var(--step-4); }
.notice.danger { border-color: var(--danger); background: var(--danger-surface); }
.notice > :last-child { margin-bottom: 0; }
`;

const forms = `
label { display: block; font-weight: var(--medium); margin-bottom: var(--step-1); }
::placeholder { color: var(--muted); opacity: 1; }
input, select, textarea { font: inherit; color: inherit; background: var(--paper); width: 100%;
  min-height: var(--target); padding: var(--step-2) var(--step-3);
  border: 1px solid var(--control); border-radius: var(--radius); }
input[type='file']::file-selector-button { font: inherit; font-weight: var(--medium); color: inherit; background: var(--surface);
  border: 1px solid var(--control); border-radius: var(--radius); padding: 0 var(--step-3);
  margin-inline-end: var(--step-3); cursor: pointer; }
progress { width: 100%; max-width: 24rem; accent-color: var(--accent); }
input[type='checkbox'], input[type='radio'] { width: 1.25rem; min-height: 1.25rem;
  accent-color: var(--accent); }
[aria-invalid='true'] { border: 2px solid var(--danger); }
.field { margin-bottom: var(--step-4); }
.field .hint { color: var(--muted); font-size: 0.875rem; margin: 0 0 var(--step-1); }
.field .error { color: var(--danger); font-weight: var(--medium); margin: var(--step-1) 0 0; }
button, .button { display: inline-block; text-align: center; font: inherit; font-weight: var(--medium); min-width: var(--target);
  padding: calc((var(--target) - 1lh) / 2 - 1px) var(--step-4); border: 1px solid transparent; border-radius: var(--radius);
  background: var(--accent); color: var(--on-accent); text-decoration: none; overflow-wrap: break-word; cursor: pointer; }
button.plain, .button.plain { background: none; color: var(--ink); border-color: var(--control); }
button.danger, .button.danger { background: none; color: var(--danger); border-color: currentcolor; }
button.quiet { background: none; color: var(--accent); font-size: 0.875rem; }
button[disabled] { opacity: 0.6; cursor: default; }
.actions { display: flex; flex-wrap: wrap; align-items: start; gap: var(--step-3); margin-bottom: var(--step-4); }
.actions > .field { margin: 0; }
.check + .actions { margin-top: var(--step-4); }
`;

// Below 40rem each row of a table is a card, and `data-label` labels its cells.
const tables = `
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
caption { text-align: start; font-weight: var(--medium); padding-bottom: var(--step-2); }
table, .figures { font-variant-numeric: tabular-nums; }
th { font-weight: var(--medium); }
th, td { text-align: start; vertical-align: top; padding: var(--step-2) var(--step-3) var(--step-2) 0;
  border-bottom: 1px solid var(--line); }
th code, td > a > code { overflow-wrap: inherit; }
th .muted { font-weight: 400; }
:is(th, td, dd) > time { display: inline-block; }
td:last-child, tbody th, td bdi { overflow-wrap: anywhere; }
tbody th { min-width: 7rem; }
td:last-child { min-width: 5rem; }
td:last-child :is(a, time) { overflow-wrap: break-word; }
thead th { color: var(--muted); font-size: 0.8125rem; }
@media (min-width: 40rem) and (max-width: 59.999rem) {
  table { font-size: 0.875rem; }
  th, td { padding-inline-end: var(--step-2); }
  tbody th { min-width: 6rem; }
}
@media (max-width: 39.999rem) {
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: var(--step-2) 0; border-bottom: 1px solid var(--line); }
  th, td { border: 0; padding: var(--step-1) 0; overflow-wrap: anywhere; }
  td[data-label] { display: inline-block; margin-inline-end: var(--step-3); vertical-align: baseline; }
  .clear { display: inline; margin-inline-end: var(--step-2); vertical-align: baseline; }
  .clear::after { content: ' '; }
  td[data-label]:has(> a) { display: block; }
  td:empty { display: none; }
  td[data-label]::before { content: attr(data-label) ': '; color: var(--muted); }
}
@media print {
  .bar, .skip, nav, button { display: none; }
  a { color: inherit; }
}
`;

/** The style of all pages: design tokens and base elements. */
export const baseStyle = [fontFace, designTokens, text, layout, forms, tables]
  .map((part) => part.trim())
  .join('\n');
