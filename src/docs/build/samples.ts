import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from './escape.ts';
import { renderCode } from './render-markdown.ts';

/** The languages of the samples in the order of their tabs. */
export const sampleLanguages = [
  { key: 'curl', ending: 'sh', label: 'curl', grammar: 'bash' },
  { key: 'typescript', ending: 'ts', label: 'TypeScript', grammar: 'typescript' },
  { key: 'php', ending: 'php', label: 'PHP', grammar: 'php' },
  { key: 'python', ending: 'py', label: 'Python', grammar: 'python' },
  { key: 'ruby', ending: 'rb', label: 'Ruby', grammar: 'ruby' },
  { key: 'go', ending: 'go', label: 'Go', grammar: 'go' },
] as const;

/** A sample in one language. */
export interface Sample {
  /** The language, as the tabs and the memory of the browser name it. */
  key: string;
  label: string;
  grammar: string;
  code: string;
}

/** Reads a sample in all languages that it has. Throws if there are none. */
export function readSamples(folder: string, name: string): Sample[] {
  const samples = sampleLanguages
    .map((language) => ({ ...language, path: join(folder, `${name}.${language.ending}`) }))
    .filter(({ path }) => existsSync(path))
    .map(({ key, path, label, grammar }) => {
      const code = withoutScaffolding(readFileSync(path, 'utf8'));
      return { key, label, grammar, code };
    });
  if (samples.length === 0) throw new Error(`there is no sample ${name}`);
  return samples;
}

/** Removes the lines that only the tests of a sample need. */
const withoutScaffolding = (code: string) =>
  code
    .replaceAll(/^.*sample:skip-start[\s\S]*?sample:skip-end.*\n?/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();

/**
 * Returns samples as one group with a tab per language. The tabs are radio buttons, so they need no
 * script.
 */
export function renderSamples(samples: readonly Sample[], group: string, legend: string): string {
  const [first] = samples;
  if (samples.length === 1 && first) return renderCode(first.code, first.grammar, first.label);
  const tabs = samples.map(
    ({ key, label }, index) =>
      `<label><input type="radio" name="${group}" value="${key}"${index === 0 ? ' checked' : ''}> ${label}</label>`,
  );
  const blocks = samples.map(({ key, label, grammar, code }) =>
    renderCode(code, grammar, label, ` data-language="${key}"`),
  );
  return (
    `<fieldset class="samples"><legend class="visually-hidden">${escapeHtml(legend)}</legend>` +
    `<div class="tabs">${tabs.join('')}</div>${blocks.join('')}</fieldset>\n`
  );
}

/** Returns samples as Markdown, one block after the other. */
export const samplesAsMarkdown = (samples: readonly Sample[]): string =>
  samples
    .map(({ label, grammar, code }) => `**${label}**\n\n\`\`\`${grammar}\n${code}\n\`\`\``)
    .join('\n\n');
