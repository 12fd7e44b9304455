import { createCssVariablesTheme, createHighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import bash from 'shiki/langs/bash.mjs';
import go from 'shiki/langs/go.mjs';
import http from 'shiki/langs/http.mjs';
import json from 'shiki/langs/json.mjs';
import php from 'shiki/langs/php.mjs';
import python from 'shiki/langs/python.mjs';
import ruby from 'shiki/langs/ruby.mjs';
import typescript from 'shiki/langs/typescript.mjs';
import { replacePlaceholders } from '../placeholders.ts';
import { escapeHtml } from './escape.ts';

const theme = 'css-variables';
const prefix = '--token-';

const highlighter = await createHighlighterCore({
  themes: [createCssVariablesTheme({ name: theme, variablePrefix: prefix })],
  langs: [bash, go, http, json, php, python, ruby, typescript],
  engine: createJavaScriptRegexEngine(),
});

const aliases: Record<string, string> = {
  ts: 'typescript',
  sh: 'bash',
  shell: 'bash',
  jsonc: 'json',
};

const highlighted = new Map<string, string>();

/**
 * Returns code as HTML whose colours are classes, such as `token-keyword`: the pages allow no inline style. Code in a language
 * without a grammar is only escaped.
 */
export function highlight(code: string, language: string): string {
  const key = `${language}\n${code}`;
  let html = highlighted.get(key);
  if (html === undefined)
    highlighted.set(key, (html = render(code, aliases[language] ?? language)));
  return html;
}

function render(code: string, lang: string): string {
  if (!highlighter.getLoadedLanguages().includes(lang)) return escapeHtml(code);
  // A grammar would split the braces of a placeholder, but not a word.
  const words = replacePlaceholders(code, (name) => `zq${name}qz`);
  // Without its limit of 500 ms a line, two builds on a busy machine are equal.
  const lines = highlighter.codeToTokensBase(words, { lang, theme, tokenizeTimeLimit: 0 });
  return lines
    .map((tokens) => tokens.map(({ content, color }) => renderToken(content, color)).join(''))
    .join('\n')
    .replaceAll(/zq(\w+?)qz/g, '{{$1}}');
}

/** The theme gives every token a CSS variable, whose name becomes its class. */
function renderToken(content: string, color = ''): string {
  const [, name] = /^var\(--token-(?:token-)?([a-z-]+)\)$/.exec(color) ?? [];
  const text = escapeHtml(content);
  if (name === undefined || name === 'foreground' || content.trim() === '') return text;
  return `<span class="token-${name}">${text}</span>`;
}
