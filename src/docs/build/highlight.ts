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
import { escapeText } from './escape.ts';

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
 * The class of each kind of token that has a colour, of one letter: a page has thousands. All else
 * looks like text.
 */
const classes: Readonly<Record<string, string>> = {
  comment: 'o',
  constant: 'c',
  function: 'f',
  keyword: 'k',
  link: 's',
  parameter: 'p',
  string: 's',
  'string-expression': 's',
};

/**
 * Returns code as HTML whose colours are classes, such as `k` of keywords: the pages allow no
 * inline style. Code in a language without a grammar is only escaped.
 */
export function highlight(code: string, language: string): string {
  const key = `${language}\n${code}`;
  let html = highlighted.get(key);
  if (html === undefined)
    highlighted.set(key, (html = render(code, aliases[language] ?? language)));
  return html;
}

function render(code: string, lang: string): string {
  if (!highlighter.getLoadedLanguages().includes(lang)) return escapeText(code);
  // A grammar would split the braces of a placeholder, but not a word.
  const words = replacePlaceholders(code, (name) => `zq${name}qz`);
  // Without its limit of 500 ms a line, two builds on a busy machine are equal.
  const lines = highlighter.codeToTokensBase(words, { lang, theme, tokenizeTimeLimit: 0 });
  return lines
    .map((tokens) =>
      joinEqual(
        tokens.map(({ content, color }) => ({ text: content, kind: kindOf(content, color) })),
      )
        .map(({ text, kind }) =>
          kind === undefined ? escapeText(text) : `<i class=${kind}>${escapeText(text)}</i>`,
        )
        .join(''),
    )
    .join('\n')
    .replaceAll(/zq(\w+?)qz/g, '{{$1}}');
}

interface ColouredText {
  text: string;
  /** Its class; `undefined` without a colour. */
  kind: string | undefined;
}

/**
 * The theme gives every token a CSS variable, whose name says what it is. Signs of keywords, such
 * as `=`, have no colour.
 */
function kindOf(content: string, color = ''): string | undefined {
  const [, name = ''] = /^var\(--token-(?:token-)?([a-z-]+)\)$/.exec(color) ?? [];
  const isSign = name === 'keyword' && !/\w/.test(content);
  return isSign || content.trim() === '' ? undefined : classes[name];
}

/** Joins neighbours of one kind, also over the blanks between them. */
function joinEqual(parts: readonly ColouredText[]): ColouredText[] {
  const joined: ColouredText[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (last && (last.kind === part.kind || part.text.trim() === '')) last.text += part.text;
    else joined.push({ ...part });
  }
  return joined;
}
