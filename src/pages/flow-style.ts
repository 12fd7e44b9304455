import { sharedStyle } from './shared-style.ts';

/** The pages of one narrow column: signing in, choosing, consenting, notices. */
export const flowStyle = `
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
