/** What the pages for people have in common; `width` is the property with the width of their column. */
export const sharedStyle = (width: string) =>
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
