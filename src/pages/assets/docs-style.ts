/** The style of the API reference, in addition to the base style. */
export const docsStyle = `
.docs { display: block; max-width: 84rem; margin-inline: auto; }
.docs > main { min-width: 0; }
.docs > main > section { margin-top: var(--step-12); }
.docs h2 { padding-top: var(--step-4); border-top: 1px solid var(--line); }
.docs h3 a, .docs h2 a { color: inherit; text-decoration: none; }
.contents { padding: var(--step-2) var(--step-4) 0; }
.contents > details { margin: 0; border: 1px solid var(--line); border-radius: var(--radius);
  padding: 0 var(--step-4); }
.contents summary { font-weight: 600; }
.contents ul { list-style: none; padding: 0; margin: 0 0 var(--step-3); }
.contents .group { font-weight: 600; font-size: 0.875rem; margin: var(--step-4) 0 0; color: var(--muted); }
.contents a { display: flex; align-items: center; gap: var(--step-2); min-height: var(--target);
  color: inherit; text-decoration: none; }
.contents a:hover { text-decoration: underline; }
.method { font: 700 0.75rem/1.5 var(--mono); color: var(--accent); }
.method.post { color: var(--good); }
.method.put { color: var(--warn); }
.method.delete { color: var(--danger); }
.contents .method { width: 4.25em; flex: none; white-space: nowrap; }
.entry { border: 1px solid var(--line); border-radius: var(--radius); padding: var(--step-4);
  margin-bottom: var(--step-6); }
.entry:target { border-color: var(--accent); box-shadow: var(--shadow); }
.entry > h3 { margin-top: 0; }
.entry > :last-child { margin-bottom: 0; }
.route { display: flex; flex-wrap: wrap; gap: 0 var(--step-3); align-items: baseline; }
.route .method { font-size: 0.875rem; }
.statuses { display: flex; flex-wrap: wrap; gap: var(--step-1) var(--step-4); list-style: none;
  padding: 0; font-size: 0.9375rem; }
figure.code { border: 1px solid var(--line); border-radius: var(--radius); background: var(--surface);
  overflow: hidden; }
figure.code figcaption { display: flex; align-items: center; justify-content: space-between;
  min-height: var(--target); gap: var(--step-2); padding-inline-start: var(--step-4);
  padding-block: var(--step-1); font-size: 0.8125rem; line-height: 1.25; color: var(--muted); }
figure.code pre { margin: 0; padding: 0 var(--step-4) var(--step-3); white-space: pre-wrap;
  overflow-wrap: anywhere; font-size: 0.875rem; tab-size: 2; }
figure.code pre code { font-size: inherit; }
.examples > div { margin-bottom: var(--step-2); }
@media (min-width: 64rem) {
  .docs { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: var(--step-6); }
  .contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto;
    padding: var(--step-4); border-inline-end: 1px solid var(--line); }
  .contents a { min-height: 1.75rem; font-size: 0.875rem; line-height: 1.25; }
  .docs > main { margin-inline: 0; }
}
/* Beside the text the contents are always open, in browsers that support it. */
@supports selector(details::details-content) {
  @media (min-width: 64rem) {
    .contents > details { border: 0; padding: 0; }
    .contents summary { display: none; }
    .contents > details::details-content { content-visibility: visible; block-size: auto; }
  }
}
@media print { .entry { break-inside: avoid; border: 0; padding: 0; } }
`.trim();
