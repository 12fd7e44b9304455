/**
 * Writes `published-calls.json`: what the platform publishes about the calls of `account-calls.ts`.
 * The source is its client for TypeScript (package `cloudflare`, Apache-2.0), which is generated
 * from its OpenAPI document:
 *
 *     npm pack cloudflare@7.3.0 && tar xzf cloudflare-7.3.0.tgz
 *     npm run published-calls -- package && npx oxfmt test/support/node/deploy
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calledPaths } from './account-calls.ts';
import type { PublishedCall, PublishedType } from './published-calls.ts';

const [folder = 'package'] = process.argv.slice(2);
const sources = join(folder, 'src/resources');
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  version: string;
};

const topics = /^(?:accounts|d1|dns|kv|queues|r2|workers|zones)\//;

/** Members of an interface, by the qualified name of the interface. */
type Interfaces = Map<string, { base: string | undefined; members: Member[] }>;

interface Member {
  name: string;
  isRequired: boolean;
  type: string;
  doc: string;
}

/**
 * Reads the interfaces and the aliases of a file. Namespaces nest by indentation, as the generator
 * writes them.
 */
function readTypes(text: string) {
  const interfaces: Interfaces = new Map();
  const aliases = new Map<string, string>();
  const scope: string[] = [];
  let doc = '';
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    let line = lines[at] ?? '';
    const depth = /^ */.exec(line)![0].length / 2;
    if (/^\s*\/\*\*/.test(line)) doc = '';
    if (/^\s*\/?\*/.test(line)) {
      doc += line.replace(/^\s*\/?\*+\/?/, '');
      continue;
    }
    const opened =
      /^\s*export (?:declare )?(namespace|interface) (\w+)(?: extends (\w+))? \{(\})?/.exec(line);
    if (opened) {
      const name = [...scope.slice(0, depth), opened[2]].join('.');
      scope.splice(depth, Infinity, opened[2] ?? '');
      if (opened[1] === 'interface') interfaces.set(name, { base: opened[3], members: [] });
      continue;
    }
    const alias = /^\s*export type (\w+) =(.*)/.exec(line);
    const member = /^\s*(?:'([^']+)'|(\w+))(\?)?:\s?(.*)/.exec(line);
    if (!alias && !member) continue;
    let type = (alias?.[2] ?? member?.[4] ?? '').trim();
    while (!type.endsWith(';') && at + 1 < lines.length)
      type += ` ${(lines[(at += 1)] ?? '').trim()}`;
    type = type
      .slice(0, -1)
      .replace(/^\s*\|/, '')
      .trim();
    line = '';
    if (alias) aliases.set([...scope.slice(0, depth), alias[1]].join('.'), type);
    else if (member) {
      interfaces.get(scope.slice(0, depth).join('.'))?.members.push({
        name: member[1] ?? member[2] ?? '',
        isRequired: member[3] === undefined,
        type,
        doc: doc.trim(),
      });
    }
    doc = '';
  }
  return { interfaces, aliases };
}

type Types = ReturnType<typeof readTypes>;

/** Objects that are deeper, and those without names of their own, are taken as they come. */
const maxDepth = 7;

function parseType(types: Types, scope: string, text: string, depth = 0): PublishedType {
  const type = text.trim();
  if (type.startsWith('{')) return 'any';
  const list = /^Array<(.*)>$/.exec(type);
  if (list && !/^Array<[^>]*> \|/.test(type)) {
    return { items: parseType(types, scope, list[1] ?? '', depth + 1) };
  }
  const parts = type
    .split('|')
    .map((part) => part.trim())
    .filter(Boolean);
  const literals = parts.map((part) => /^(?:'(.*)'|(\d+)|(true|false))$/.exec(part));
  if (literals.every(Boolean)) {
    return {
      values: literals.map(
        (found) =>
          found?.[1] ?? (found?.[2] === undefined ? found?.[3] === 'true' : Number(found[2])),
      ),
    };
  }
  if (parts.length > 1) {
    return { anyOf: parts.map((part) => parseType(types, scope, part, depth)) };
  }
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  for (const prefix of prefixesOf(scope)) {
    const name = prefix === '' ? type : `${prefix}.${type}`;
    const alias = types.aliases.get(name);
    if (alias !== undefined) return parseType(types, name, alias, depth);
    const found = types.interfaces.get(name);
    if (found && depth <= maxDepth) {
      return {
        fields: Object.fromEntries(
          found.members.map((one) => [
            one.isRequired ? one.name : `${one.name}?`,
            parseType(types, name, one.type, depth + 1),
          ]),
        ),
      };
    }
  }
  return 'any';
}

const prefixesOf = (scope: string) => {
  const parts = scope.split('.');
  return [...parts.keys(), parts.length]
    .map((length) => parts.slice(0, length).join('.'))
    .toReversed();
};

/** The interfaces of the parameters of a call: one, or those of a union. */
function variantsOf(types: Types, name: string): string[] {
  const alias = types.aliases.get(name);
  if (alias === undefined) return types.interfaces.has(name) ? [name] : [];
  return alias.split('|').map((part) => part.trim());
}

/** A call of the client: `path` has the names of its parts in braces. */
interface FoundCall {
  method: string;
  path: string;
  params: string;
  /** Whether the parameter `body` is the whole body. */
  isWhole: boolean;
}

function describeCall(types: Types, { method, path, params, isWhole }: FoundCall): PublishedCall {
  const inPath = new Set([...path.matchAll(/\$\{(\w+)\}/g)].map((found) => found[1]));
  const variants = variantsOf(types, params).map((name) => {
    const { base, members } = types.interfaces.get(name) ?? { base: undefined, members: [] };
    const query: Record<string, PublishedType> = base?.includes('PagePagination')
      ? { 'page?': 'number', 'per_page?': 'number' }
      : {};
    const body: Record<string, PublishedType> = {};
    for (const member of members) {
      const [, told] = /^(Path|Query|Body|Header) param/.exec(member.doc) ?? [];
      const isOfPath = told === 'Path' || inPath.has(member.name);
      if (isOfPath || told === 'Header') continue;
      const isQuery = told === 'Query' || (told === undefined && method === 'GET');
      const key = member.isRequired ? member.name : `${member.name}?`;
      const type = parseType(types, name, member.type);
      // A parameter that is an object has one name for each of its fields, such as `account.id`.
      if (isQuery && typeof type === 'object' && 'fields' in type) {
        for (const [field, inner] of Object.entries(type.fields))
          query[`${member.name}.${field}`] = inner;
      } else (isQuery ? query : body)[key] = type;
    }
    return { query, body: isWhole ? (body['body'] ?? 'any') : { fields: body } };
  });
  const [first = { query: {}, body: { fields: {} } }] = variants;
  return {
    call: `${method} ${normalize(path)}`,
    query: first.query,
    ...(method !== 'GET' && {
      body: variants.length > 1 ? { anyOf: variants.map(({ body }) => body) } : first.body,
    }),
  };
}

/** All calls of a file. */
function readCalls(text: string): PublishedCall[] {
  const types = readTypes(text);
  const found = text.matchAll(
    /this\._client\.(get|post|put|patch|delete|getAPIList)\(\s*(?:path`([^`]*)`|'([^']*)')([^;]*);/g,
  );
  return [...found].map((match) => {
    const before = text.slice(0, match.index);
    const params =
      [...before.matchAll(/\bparams(?:\?)?: (\w+Params)\b|\n {2}\w+\(/g)].at(-1)?.[1] ?? '';
    const direct =
      /query: (\w+Params)/.exec(before.slice(before.lastIndexOf('\n  }\n')))?.[1] ?? '';
    const rest = match[4] ?? '';
    return describeCall(types, {
      method: (
        /method: '(\w+)'/.exec(rest)?.[1] ?? (match[1] ?? '').replace('getAPIList', 'get')
      ).toUpperCase(),
      path: match[2] ?? match[3] ?? '',
      params: params || direct,
      isWhole: /body: body\b/.test(rest),
    });
  });
}

const normalize = (path: string) => path.replaceAll(/\$\{\w+\}/g, '{}');

const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
  (file) => topics.test(file) && file.endsWith('.ts'),
);
const called = new Set(calledPaths());
const calls = files
  .flatMap((file) => readCalls(readFileSync(join(sources, file), 'utf8')))
  .filter(({ call }) => called.has(call))
  .toSorted((a, b) => a.call.localeCompare(b.call));
const target = join(import.meta.dirname, 'published-calls.json');
writeFileSync(target, JSON.stringify({ source: `cloudflare@${version}`, calls }, undefined, 2));
const missing = [...called].filter((one) => !calls.some(({ call }) => call === one));
console.log(`${calls.length} calls; not published: ${missing.join(', ')}`);
