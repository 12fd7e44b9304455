/**
 * The styles of components that both layouts have, in their order: a later rule of the same weight
 * wins.
 */
const sharedComponents = {
  /** `ScopeList`, and tags beside a name. */
  scopeList: `.scopes { padding-inline-start: var(--step-4); }
.scopes li { margin-bottom: var(--step-2); }
.tag { display: inline-block; padding: 0 var(--step-2); border: 1px solid var(--control);
  border-radius: var(--radius); font-size: 0.8125rem; color: var(--muted); white-space: nowrap; }`,
  /** `choice-fields.tsx`: groups of fields, checkboxes and their meanings. */
  choiceFields: `fieldset { border: 0; padding: 0; margin: 0 0 var(--step-4); min-width: 0; }
legend { font-weight: var(--medium); max-width: 100%; overflow-wrap: anywhere; padding: 0; margin-bottom: var(--step-1); }
.check { display: flex; gap: var(--step-3); align-items: flex-start; font-weight: 400;
  min-height: var(--target); padding-block: var(--step-2); margin: 0; }
.check input { flex: none; margin: 0.125rem 0 0; }
.check .meaning { display: block; color: var(--muted); font-size: 0.875rem; }
fieldset.group { margin: 0 0 var(--step-4); break-inside: avoid; }
.group legend { font-size: 0.9375rem; }
.groups { columns: 3 15rem; column-gap: var(--step-6); }
.field:has(> .check > [value='all']:checked) > .groups { display: none; }`,
  /** Names and values of one record. */
  facts: `.facts { display: grid; grid-template-columns: fit-content(40%) 1fr; gap: var(--step-1) var(--step-4); }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.areas { row-gap: var(--step-3); }
.areas dt { font-weight: var(--medium); color: inherit; }
@media (max-width: 39.999rem) {
  .areas { display: block; }
  .areas dd { margin-bottom: var(--step-3); }
}`,
};

/** Those of pages in `NarrowLayout`. */
const narrowComponents = {
  /** The buttons of a consent page, which stay in view. */
  decision: `.decision { position: sticky; bottom: 0; margin-inline: calc(-1 * var(--step-4)); padding: var(--step-3)
  var(--step-4); border-top: 1px solid var(--line); background: var(--paper); }
.actions.decision { margin-bottom: 0; }
html:has(.decision:not(.last)) { scroll-padding-bottom: 6rem; }
.decision.last { position: static; }
.beside { display: contents; }
@media (min-width: 60rem) {
  body:has(.beside) :is(.brand, .foot, .column.narrow) { max-width: var(--wide); }
  .column.narrow:has(> .beside) { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; column-gap: var(--step-12);
    grid-auto-rows: min-content; }
  .column:has(> .beside) > * { grid-column: 1; min-width: 0; }
  .column > .beside { display: block; grid-column: 2; grid-row: 1 / span 20; position: sticky; top: var(--step-6); align-self: start;
    padding: var(--step-4); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); }
  .beside .actions.decision { position: static; margin: 0 0 var(--step-4); padding: 0; border: 0; }
}`,
  /** `ChooseStorePage`: the stores that an app may be connected to. */
  storeChoice: `.choices { list-style: none; padding: 0; }
.choices a { display: flex; flex-direction: column; gap: var(--step-1); color: inherit;
  padding: var(--step-3) var(--step-4); margin-bottom: var(--step-3); text-decoration: none;
  border: 1px solid var(--control); border-radius: var(--radius); }
.choices a:hover { background: var(--surface); }
.choices a strong { text-decoration: underline; text-underline-offset: 0.15em; color: var(--accent); }`,
  /** `SignedInUser`. */
  signedInUser: `.whoami p { margin-bottom: 0; }
.whoami button { padding-inline: 0; text-decoration: underline; text-underline-offset: 0.15em;
  font-size: inherit; font-weight: 400; }`,
};

/** Those of pages in `DashboardLayout`. */
const dashboardComponents = {
  /** Cards, and notices of a dashboard. */
  card: `.card h3 { margin: 0 0 var(--step-1); }
.card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.card caption h2 { margin: 0; }
.charts h2 { font-size: 1.0625rem; }
.card tbody th { min-width: 0; }
.notice h2 { font-size: 1.0625rem; margin-bottom: var(--step-2); }`,
  /** A list with a line between its records. */
  recordLines: `.stores { list-style: none; padding: 0; }
.stores li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 var(--step-2);
  padding: var(--step-2) 0; border-bottom: 1px solid var(--line); }
.stores li > p, .stores li > div { flex-basis: 100%; margin-block: 0 var(--step-1); }`,
  /** The home page, and the doors of a store to its parts. */
  home: `.front { padding-top: clamp(var(--step-6), 6vw, 5rem); }
.front h1 { font-size: clamp(1.875rem, 1.25rem + 3vw, 2.75rem); line-height: 1.15; margin-bottom: var(--step-4); }
.front .lead { color: var(--muted); margin-bottom: var(--step-6); max-width: 40rem; }
.hero { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: var(--step-8) var(--step-12);
  align-items: center; margin-bottom: var(--step-12); }
.hero > *, .hero h1 { min-width: 0; overflow-wrap: anywhere; }
.picture { padding: var(--step-6); border-radius: calc(2 * var(--radius)); background: var(--surface); }
.picture .card { box-shadow: var(--lift); }
.picture .card + .card { margin: calc(-1 * var(--step-6)) calc(-1 * var(--step-3)) 0 var(--step-8); position: relative; }
.picture strong, .picture .total { display: block; }
.total { font-size: 1.375rem; font-weight: var(--bold); letter-spacing: -0.01em; }
.picture svg.spark { width: 100%; height: auto; margin-block: var(--step-2) var(--step-6); }
.line { display: grid; grid-template-columns: auto 1fr auto; gap: var(--step-3); padding-top: var(--step-2); margin-top: var(--step-2);
  border-top: 1px solid var(--line); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
.line .state { white-space: normal; }
.home .bar { max-width: var(--wide); margin-inline: auto; }
.doors { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: var(--step-4); }
.doors .card { display: flex; flex-direction: column; margin: 0; }
.doors h2 { margin: 0 0 var(--step-2); font-size: 1.125rem; }
.doors .actions { margin-top: auto; }`,
  /**
   * `account-overview.tsx`: cards and tiles of stores, the figures of each, and notices of needs.
   */
  overview: `.cards, .tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr));
  gap: var(--step-4); list-style: none; padding: 0; }
.cards .card { margin: 0; }
.cards h3 a { display: inline-block; padding-block: calc((var(--target) - 1lh) / 2);
  margin-block: calc(-1 * var(--step-2)); }
.cards p { margin-bottom: var(--step-2); }
.tiles li { position: relative; padding: var(--step-2) var(--step-4) var(--step-3); border: 1px solid var(--line);
  border-radius: var(--radius); }
.tiles li:hover { background: var(--surface); }
.tiles a { display: block; padding-block: calc((var(--target) - 1lh) / 2); font-weight: var(--medium); }
.tiles a::after { content: ''; position: absolute; inset: 0; }
.needs { border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); margin-bottom: var(--step-6); }
.needs h2 { margin: 0; padding: var(--step-3) var(--step-4); font-size: 1rem; }
.needs ul { list-style: none; padding: 0; margin: 0; }
.needs li { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; align-items: center; gap: var(--step-2) var(--step-3);
  padding: var(--step-2) var(--step-4); border-top: 1px solid var(--line); }
.needs li > span { overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: var(--step-2) var(--step-6); margin-bottom: 0; }
.figures dt { color: var(--muted); font-size: 0.8125rem; }
.column > .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, max-content)); margin-bottom: var(--step-4); }
.figures dd { margin: 0; font-size: 1.375rem; font-weight: var(--bold); letter-spacing: -0.01em; }`,
  /** `BarChart`, its legend, and charts side by side. */
  chart: `.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: var(--step-4);
  margin-block: var(--step-6) var(--step-4); align-items: start; }
.chart { margin: 0; }
.chart h2 { margin: 0 0 var(--step-1); }
.chart p { margin-bottom: var(--step-1); }
.plot { container-type: inline-size; display: grid; grid-template-columns: auto minmax(0, 1fr); column-gap: var(--step-2); margin-bottom: var(--step-3);
  color: var(--muted); font-size: 0.75rem; font-variant-numeric: tabular-nums; padding-top: var(--step-2); }
.plot svg { width: 100%; height: 8rem; background: linear-gradient(var(--line) 1px, transparent 1px) 0 0 / 100% calc(50% - 0.5px); }
.axis { display: flex; flex-direction: column; justify-content: space-between; text-align: end; margin-block: -0.5lh; }
.labels { grid-column: 2; display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); padding-top: var(--step-2); white-space: nowrap; }
.chart .empty { padding: 0; border: 0; }
.chart rect.main { fill: var(--accent); }
.chart rect.bad { fill: var(--danger); }
.chart rect.quiet { fill: var(--control); }
.legend { display: flex; flex-wrap: wrap; gap: 0 var(--step-4); list-style: none; padding: 0; margin: 0 0 var(--step-2);
  font-size: 0.875rem; }
.key { display: inline-block; width: 0.75rem; height: 0.75rem; border-radius: 2px; background: var(--control); }
.key.main { background: var(--accent); }
.key.bad { background: var(--danger); }
.chart summary { font-size: 0.875rem; color: var(--accent); }
@container (max-width: 27rem) {
  .labels :nth-child(even) { visibility: hidden; }
}`,
  /** `StateBadge`, beside facts and networks that keep to a line. */
  stateBadge: `.network { white-space: nowrap; }
.facts ul { list-style: none; padding: 0; margin: 0; }
.state { white-space: nowrap; font-weight: var(--medium); }
.state .icon { vertical-align: -0.125em; }
.state.good { color: var(--good); }
.state.warn { color: var(--warn); }
.state.danger { color: var(--danger); }`,
  /** `EmptyState`. */
  emptyState: `.empty { padding: var(--step-4); border: 1px dashed var(--control); border-radius: var(--radius);
  margin-bottom: var(--step-4); max-width: 40rem; }
.empty > :last-child { margin-bottom: 0; }`,
  /** `ActionMenu`. */
  actionMenu: `.more-actions { position: relative; margin: 0; }
.more-actions > summary { list-style: none; }
.more-actions > summary::-webkit-details-marker { display: none; }
.more-actions > summary::after { content: ''; display: inline-block; width: 0.4em; height: 0.4em; margin: 0 0 0.2em 0.6em;
  border: solid currentcolor; border-width: 0 1.5px 1.5px 0; rotate: 45deg; }
.more-actions > ul { position: absolute; z-index: 1; top: calc(100% + var(--step-1)); inset-inline-start: 0; width: 20rem;
  margin: 0; padding: var(--step-2); list-style: none; background: var(--paper); border: 1px solid var(--line);
  border-radius: var(--radius); box-shadow: var(--lift); }
.more-actions ul :is(.button, button) { width: 100%; padding-inline: var(--step-3); text-align: start; border-color: transparent; }
.more-actions ul :is(.button, button):hover { background: var(--surface); }
.more-actions li > p { margin: 0; padding: 0 var(--step-3) var(--step-2); font-size: 0.8125rem; }
.more-actions li:has(> .danger):not(:first-child) { border-top: 1px solid var(--line); margin-top: var(--step-2); padding-top: var(--step-2); }`,
  /** A form, and what stands beside it (`form-page.tsx`). */
  beside: `.halves { display: grid; gap: var(--step-6) var(--step-12); margin-top: var(--step-4); }
.halves > * { min-width: 0; max-width: 40rem; }
.halves > aside { padding: var(--step-4); background: var(--surface); border-radius: var(--radius); }
aside > :is(h2, .named) { margin-top: 0; }
aside .areas { display: block; }
aside .areas dd { margin-bottom: var(--step-2); }
@media (min-width: 75rem) {
  .halves { grid-template-columns: minmax(0, 1fr) minmax(0, 24rem); align-items: start; }
  .halves > aside { position: sticky; top: var(--step-4); }
}`,
  /** Links that filter a list, and the cells of its table. */
  table: `.filters { display: flex; flex-wrap: wrap; gap: 0 var(--step-6); margin-bottom: var(--step-2); }
.filters a { display: inline-flex; align-items: center; min-height: var(--target); }
.filters a[aria-current] { font-weight: var(--medium); color: inherit; text-decoration: none; }
.next { display: block; }
td details { margin: 0; }
td summary { margin-block: calc(-1 * var(--step-2)); }
td pre { margin: 0 0 var(--step-2); white-space: pre-wrap; overflow-wrap: anywhere; }
tr:has(> th > a[href]) { position: relative; }
tr:has(> th > a[href]):hover { background: var(--surface); }
tr > th > a[href]::after { content: ''; position: absolute; inset: 0; }
tr > td :is(a, button, summary, input) { position: relative; }
tr > th > a[href] { text-decoration: none; }
tr:hover > th > a[href] { text-decoration: underline; }
.with-spark { display: inline-flex; align-items: center; gap: var(--step-3); }
.spark { flex: none; fill: var(--accent); }
.spark .none { fill: var(--line); }
td > a, th > a { display: inline-block; padding-block: calc((var(--target) - 1lh) / 2);
  margin-block: calc((1lh - var(--target)) / 2); }
td:has(> a + a) > a { margin-block: 0; margin-inline-end: var(--step-3); }`,
  /** Forms one below another, their errors and large texts. */
  form: `form + form, .tiles + form { margin-top: var(--step-6); }
.field .error { white-space: pre-line; }
.facts li { margin-bottom: var(--step-1); }
textarea { min-height: 8rem; font-family: var(--mono); font-size: 0.875rem; resize: vertical; }
.check code { display: block; color: var(--muted); }`,
  /** `ScopeChoice`: an area of scopes, and those chosen of it. */
  scopeChoice: `.chosen { padding-inline-start: var(--step-4); }
fieldset:not(:has(> .error)):has(> .check > input:checked:not([value='chosen'])) > .chosen { display: none; }
.facts details { margin: calc(-1 * var(--step-2)) 0 0; }
.area { display: grid; grid-template-columns: minmax(0, 1fr) minmax(7rem, 9.5rem); gap: var(--step-2);
  align-items: center; margin-bottom: var(--step-2); }`,
  /** Lists of lines, and the form that filters a list. */
  listFilter: `.lines { list-style: none; padding: 0; margin: 0; overflow-wrap: anywhere; }
.filter { display: flex; flex-wrap: wrap; gap: var(--step-3); align-items: end; margin-bottom: var(--step-4); }
.filter > div { min-width: min(14rem, 100%); }`,
  /** `CopyableCode`. */
  copyableCode: `figure.code { margin-bottom: var(--step-4); }
figure.code figcaption { display: flex; align-items: center; justify-content: space-between; gap: var(--step-2);
  font-weight: var(--medium); min-height: var(--target); padding-block: var(--step-1); }
figcaption > button { flex: none; }
figure.code pre { margin: 0; padding: var(--step-3); background: var(--surface); border: 1px solid
  var(--line); border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere; }
figure.code pre[tabindex] { white-space: pre; overflow-x: auto; }`,
};

/**
 * The navigation of `DashboardLayout`: a column beside the page, and on narrow screens a popover
 * below a button.
 */
const navigationStyle = `.top .bar { flex-wrap: nowrap; gap: 0 var(--step-2); border: 0; }
.top .bar a { text-decoration: none; min-width: 0; overflow-wrap: anywhere; }
.menu a, .tabs a { display: inline-flex; align-items: center; min-height: var(--target); color: inherit;
  text-decoration: none; }
.menu a { gap: var(--step-3); }
.tabs a:hover { text-decoration: underline; text-underline-offset: 0.15em; }
.menu a[aria-current], .tabs a[aria-current] { font-weight: var(--medium); }
.menu .icon { flex: none; fill: none; stroke: currentcolor; stroke-width: 1.75; stroke-linecap: round;
  stroke-linejoin: round; color: var(--muted); }
.menu a[aria-current] .icon { color: var(--accent); }
.tabs { display: flex; flex-wrap: wrap; gap: 0 var(--step-6); border-bottom: 1px solid var(--line);
  padding: var(--step-2) var(--step-4) 0; }
.tabs a[aria-current] { box-shadow: inset 0 -3px 0 var(--accent); }
.menu-button, .user-button { flex: none; }
button.user-button { display: flex; align-items: center; gap: var(--step-2); border-color: transparent;
  min-height: var(--target); padding: 0 var(--step-1); }
.user-button:hover { background: var(--surface); }
.avatar { display: inline-flex; align-items: center; justify-content: center; flex: none; width: 2rem;
  height: 2rem; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-size: 0.8125rem; }
.user-menu { position: fixed; margin: 0; width: min(18rem, calc(100% - 2 * var(--step-4)));
  padding: var(--step-4); color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  border-radius: var(--radius); box-shadow: var(--lift); overflow-wrap: anywhere; }
.user-menu a { display: flex; align-items: center; min-height: var(--target); color: inherit;
  text-decoration: none; border-top: 1px solid var(--line); }
.user-menu a:hover, .menu a:hover { text-decoration: underline; text-underline-offset: 0.15em; }
.user-menu form { padding-top: var(--step-3); border-top: 1px solid var(--line); }
.user-menu button { width: 100%; }
@media (min-width: 60rem) {
  .shell { display: grid; grid-template-columns: 15rem minmax(0, 1fr); min-height: 100vh; }
  .shell > .top { display: flex; flex-direction: column; position: sticky; top: 0; height: 100vh; overflow-y: auto;
    padding: var(--step-4) var(--step-3); border-inline-end: 1px solid var(--line); background: var(--surface); }
  .shell .bar { display: contents; }
  .shell .bar > :first-child { margin: 0 0 var(--step-4); padding-inline: var(--step-3); font-size: 1.0625rem;
    flex: none; }
  .menu { display: flex; flex-direction: column; gap: var(--step-1); position: static; inset: auto; width: auto;
    height: auto; margin: 0; padding: 0; border: 0; color: inherit; background: none; font-size: 0.9375rem; }
  .menu a { padding-inline: var(--step-3); border-radius: var(--radius); min-height: 2.5rem; }
  .menu a[aria-current] { background: var(--paper); box-shadow: var(--shadow); }
  .menu-button { display: none; }
  button.user-button { margin-top: auto; padding: var(--step-2) var(--step-3); text-align: start; font-weight: 400;
    overflow-wrap: anywhere; }
  .user-button:hover { background: var(--paper); }
  .user-menu { inset: auto auto 4.5rem var(--step-3); }
  .page { min-width: 0; }
  .tabs, .page .column, .page .foot { max-width: var(--page); margin: 0; padding-inline: var(--step-8); }
  .tabs { max-width: none; }
}
@media (max-width: 39.999rem) {
  .tabs { gap: 0 var(--step-4); font-size: 0.875rem; }
}
@media (max-width: 59.999rem) {
  .top { display: flex; align-items: center; padding-inline-end: var(--step-4); border-bottom: 1px solid var(--line); }
  .top .bar { flex: 1; padding-inline-end: var(--step-2); }
  .user-name { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
  .user-menu { inset: 3.75rem var(--step-4) auto auto; }
  .menu { position: absolute; inset: 3.75rem 0 auto; width: 100%; max-width: none; margin: 0; color: var(--ink);
    padding: var(--step-2) var(--step-4); border: 0; border-bottom: 1px solid var(--line);
    background: var(--paper); box-shadow: var(--lift); }
  .menu a { display: flex; }
  .menu a + a { border-top: 1px solid var(--line); }
  .menu a[aria-current] { box-shadow: inset 3px 0 0 var(--accent); padding-inline-start: var(--step-3); }
}
@supports not selector(:popover-open) {
  .menu-button, .user-button { display: none; }
  .top { display: block; }
  .menu, .user-menu { position: static; }
}`;

const join = (styles: Readonly<Record<string, string>>) => Object.values(styles).join('\n');

/**
 * The style that both layouts share: their foot and column, then components. `width` is the CSS
 * property with the width of the column.
 */
const sharedStyle = (width: string) =>
  `.foot { max-width: var(${width}); margin-inline: auto; padding: 0 var(--step-4) var(--step-6); }
.foot nav { display: flex; flex-wrap: wrap; gap: 0 var(--step-6); padding-top: var(--step-2);
  border-top: 1px solid var(--line); font-size: 0.875rem; }
.foot nav > * { display: inline-flex; align-items: center; min-height: var(--target); }
.foot nav > span { font-weight: var(--medium); }
.support { font-size: 0.875rem; margin: var(--step-2) 0 0; overflow-wrap: anywhere; }
.logo { margin-inline-end: var(--step-2); flex: none; }
main:focus { outline: none; }
form + table, .actions + table, form + .empty { margin-top: var(--step-6); }
.notice > h2:first-child { margin-top: 0; }
.notice > ul { padding-inline-start: var(--step-4); }
.notice[role='alert'] > h2 { margin-bottom: var(--step-1); }
h1 + form, h1 + [role='alert'] { margin-top: var(--step-4); }
.target, [role='alert'] li a, .support a { display: inline-block; padding-block: calc((var(--target) - 1lh) / 2); }
:is(p, dd) > .target { margin-block: calc((1lh - var(--target)) / 2); }
.lead { font-size: 1.125rem; }
.name, .host { overflow-wrap: anywhere; }
${join(sharedComponents)}`;

/** The style of `NarrowLayout`. */
export const narrowStyle = `.brand { display: flex; align-items: center; max-width: var(--narrow); margin-inline: auto; padding: var(--step-4) var(--step-4) 0;
  font-weight: var(--medium); color: var(--muted); }
${sharedStyle('--narrow')}
.column.narrow { padding-bottom: var(--step-8); }
.narrow h1 { margin-bottom: var(--step-2); }
.narrow h2 { font-size: 1.125rem; margin: var(--step-6) 0 var(--step-2); }
.narrow h3 { font-size: 1rem; margin: var(--step-4) 0 var(--step-2); }
.actions.wide { margin-block: var(--step-4); }
.actions.wide > * { flex: 1 1 8rem; }
.narrow [data-passkey] > button { width: 100%; }
${join(narrowComponents)}
@media (min-width: 40rem) and (min-height: 40rem) {
  .brand { padding-top: 8vh; }
}`;

/** The style of `DashboardLayout`. */
export const dashboardStyle = `${sharedStyle('--wide')}
${navigationStyle}
.column > p, .column > form, .measure, .column > form > :not(:has(> .groups)) { max-width: 40rem; }
.column > form:has(.groups) { max-width: none; }
.column > .notice, .column > .filter { max-width: none; }
.column > .notice[role='alert'] { max-width: 40rem; }
form.narrow { max-width: 28rem; }
${join(dashboardComponents)}
@media (min-width: 40rem) {
  .in-card { display: none; }
}
@media (min-width: 75rem) {
  .column > table :is(td, th) > time { white-space: nowrap; }
}
@media (max-width: 47.999rem) {
  .more-actions[open] { flex-basis: 100%; }
  .more-actions > ul { position: static; width: auto; margin-top: var(--step-2); box-shadow: none; }
}
@media (max-width: 24rem) {
  .area { grid-template-columns: 1fr; gap: var(--step-1); margin-bottom: var(--step-4); }
}
@media (max-width: 39.999rem) {
  caption { display: block; }
  .needs li { grid-template-columns: auto minmax(0, 1fr); }
  .needs li > a { grid-column: 2; justify-self: start; }
  td > a, th > a { margin-block: 0; }
  form > .actions > * { flex: 1 1 auto; }
  form > .actions:has(> :nth-child(2):last-child) { flex-wrap: wrap-reverse; }
  form [data-passkey] > button { width: 100%; }
  .filter > div { flex: 1 1 100%; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: var(--step-2); }
}`;
