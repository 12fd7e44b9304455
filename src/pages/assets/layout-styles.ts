/** The style that both layouts share. `width` is the CSS property with the width of the column. */
const sharedStyle = (width: string) =>
  `
.foot { max-width: var(${width}); margin-inline: auto; padding: 0 var(--step-4) var(--step-6); }
.foot nav { display: flex; flex-wrap: wrap; gap: 0 var(--step-6); padding-top: var(--step-2);
  border-top: 1px solid var(--line); font-size: 0.875rem; }
.foot nav > * { display: inline-flex; align-items: center; min-height: var(--target); }
.foot nav > span { font-weight: 600; }
main:focus { outline: none; }
.notice > h2:first-child { margin-top: 0; }
.notice > ul { padding-inline-start: var(--step-4); }
.target, [role='alert'] li a { display: inline-flex; align-items: center; min-height: var(--target); }
.lead { font-size: 1.125rem; }
.name { overflow-wrap: anywhere; }
.scopes { padding-inline-start: var(--step-4); }
.scopes li { margin-bottom: var(--step-2); }
.tag { display: inline-block; padding: 0 var(--step-2); border: 1px solid var(--control);
  border-radius: var(--radius); font-size: 0.8125rem; color: var(--muted); white-space: nowrap; }
`.trim();

/** The style of `NarrowLayout`. */
export const narrowStyle = `
.brand { max-width: var(--narrow); margin-inline: auto; padding: var(--step-4) var(--step-4) 0;
  font-weight: 600; color: var(--muted); }
${sharedStyle('--narrow')}
.column.narrow { padding-bottom: var(--step-8); }
.narrow h1 { margin-bottom: var(--step-2); }
.narrow h2 { font-size: 1.0625rem; margin: var(--step-6) 0 var(--step-2); }
p > .target { margin-block: calc(-1 * var(--step-3)); }
.host { overflow-wrap: anywhere; }
.actions.wide { margin-block: var(--step-4); }
.actions.wide > * { flex: 1 1 8rem; }
.choices { list-style: none; padding: 0; }
.choices a { display: flex; flex-direction: column; gap: var(--step-1); color: inherit;
  padding: var(--step-3) var(--step-4); margin-bottom: var(--step-3); text-decoration: none;
  border: 1px solid var(--control); border-radius: var(--radius); }
.choices a:hover { background: var(--surface); }
.choices a strong { text-decoration: underline; text-underline-offset: 0.15em; color: var(--accent); }
.whoami p { margin-bottom: 0; }
.whoami button { padding-inline: 0; text-decoration: underline; text-underline-offset: 0.15em;
  font-size: inherit; font-weight: 400; }
`.trim();

/** The style of `DashboardLayout`. */
export const dashboardStyle = `
${sharedStyle('--wide')}
.bar nav { display: flex; flex-wrap: wrap; gap: 0 var(--step-6); }
.bar nav a { text-decoration: none; }
.bar nav a:hover { text-decoration: underline; text-underline-offset: 0.15em; }
.bar nav a[aria-current] { font-weight: 600; box-shadow: inset 0 -3px 0 var(--accent); }
.bar > span { display: inline-flex; align-items: center; min-height: var(--target); }
.column > p, .column > form, .measure { max-width: 40rem; }
.column > .notice { max-width: none; }
form.narrow { max-width: 28rem; }
.card h3 { margin: 0 0 var(--step-1); }
.card > :last-child { margin-bottom: 0; }
.notice h2 { font-size: 1.0625rem; margin-bottom: var(--step-2); }
.stores { list-style: none; padding: 0; }
.stores li { padding: var(--step-2) 0; border-bottom: 1px solid var(--line); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: var(--step-1) var(--step-4); }
.facts dt { color: var(--muted); }
.facts dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.facts ul { list-style: none; padding: 0; margin: 0; }
.state { white-space: nowrap; font-weight: 600; }
.state.published, .state.active, .state.delivered { color: var(--good); }
.state.draft, .state.failing, .state.paused, .state.held { color: var(--warn); }
.state.disabled, .state.gone, .state.gaveUp { color: var(--danger); }
.filters { display: flex; flex-wrap: wrap; gap: 0 var(--step-6); margin-bottom: var(--step-2); }
.filters a { display: inline-flex; align-items: center; min-height: var(--target); }
.filters a[aria-current] { font-weight: 600; color: inherit; text-decoration: none; }
.next { display: block; }
td details { margin: 0; }
td pre { margin: 0 0 var(--step-2); white-space: pre-wrap; overflow-wrap: anywhere; }
td > a, th > a { display: inline-flex; align-items: center; min-height: var(--target);
  margin-block: calc(-1 * var(--step-2)); }
form + form { margin-top: var(--step-6); }
.field .error { white-space: pre-line; }
.facts li { margin-bottom: var(--step-1); }
fieldset { border: 0; padding: 0; margin: 0 0 var(--step-4); min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: var(--step-1); }
textarea { min-height: 8rem; font-family: var(--mono); font-size: 0.875rem; resize: vertical; }
.check { display: flex; gap: var(--step-3); align-items: flex-start; font-weight: 400;
  min-height: var(--target); padding-block: var(--step-2); margin: 0; }
.check input { flex: none; margin: 0.125rem 0 0; }
.check code { display: block; color: var(--muted); }
figure.code { margin-bottom: var(--step-4); }
figure.code figcaption { display: flex; align-items: center; justify-content: space-between;
  font-weight: 600; min-height: var(--target); }
figure.code pre { margin: 0; padding: var(--step-3); background: var(--surface); border: 1px solid
  var(--line); border-radius: var(--radius); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (min-width: 40rem) {
  .in-card { display: none; }
}
@media (min-width: 60rem) {
  td time { white-space: nowrap; }
}
@media (max-width: 39.999rem) {
  caption { display: block; }
  td > a, th > a { margin-block: 0; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: var(--step-2); }
}
`.trim();
