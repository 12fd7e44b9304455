/** Every colour and measure of the pages, light and dark; the only place for them. */
export const tokens = `
:root {
  color-scheme: light dark;
  --font: system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
  --narrow: 28rem;
  --wide: 60rem;
  --step-1: 0.25rem;
  --step-2: 0.5rem;
  --step-3: 0.75rem;
  --step-4: 1rem;
  --step-6: 1.5rem;
  --step-8: 2rem;
  --step-12: 3rem;
  --target: 2.75rem;
  --radius: 8px;
  --shadow: 0 1px 2px rgb(0 0 0 / 12%), 0 4px 12px rgb(0 0 0 / 8%);
  --paper: #ffffff;
  --surface: #f5f6f8;
  --ink: #1b1f24;
  --muted: #57606a;
  --line: #d8dee4;
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
    --shadow: 0 1px 2px rgb(0 0 0 / 60%), 0 4px 12px rgb(0 0 0 / 40%);
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
