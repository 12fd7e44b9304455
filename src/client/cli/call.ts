import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import type { JsonValue } from '../core/public.ts';
import { textOption, textsOf, type Command, type CommandInput, type Option } from './command.ts';
import { openSession } from './session.ts';
import { UsageError } from './usage-error.ts';

const queryOptions = {
  query: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    about: 'a query parameter; repeatable',
  },
  include: { type: 'string', value: 'NAMES', about: 'related records, separated by commas' },
} satisfies Record<string, Option>;

const dataOption = {
  data: { type: 'string', value: 'JSON', about: 'the body; @file reads a file, @- reads stdin' },
  'idempotency-key': {
    type: 'string',
    value: 'KEY',
    about: 'the key of an earlier call, to repeat it safely',
  },
} satisfies Record<string, Option>;

const examples = `
The path is that of the reference, without /v2 and without the alias of the store:
catalog/brands, or /auth/me. An API key or a token is sent with it, a failure that may pass is retried.`;

const read: Command = {
  summary: 'read: store-api get catalog/brands',
  usage: 'PATH [options]',
  details: `${examples}

  store-api get catalog/brands
  store-api get orders --query status=paid --include items --all --json > orders.ndjson`,
  options: {
    ...queryOptions,
    all: { type: 'boolean', about: 'every page of a list' },
  },
  run: async (input) => {
    const path = pathOf(input);
    const { shop } = openSession(input);
    const { terminal } = input;
    const query = queryOf(input);
    if (input.values.all !== true) {
      terminal.print(await shop.request('GET', path, { query }));
      return;
    }
    const printed = new ListPrinter(input);
    for await (const record of shop.walk(path, { query })) printed.add(record);
    printed.end();
  },
};

const writing = (method: string, summary: string): Command => ({
  summary,
  usage: 'PATH [--data JSON] [options]',
  details: `${examples}

  store-api post catalog/brands --data '{"name":"Sol","active":true}'
  store-api put catalog/brands/7 --data @brand.json`,
  options: { ...queryOptions, ...dataOption },
  run: async (input) => {
    const path = pathOf(input);
    const body = await bodyOf(input);
    const { shop } = openSession(input);
    const idempotencyKey = textOption(input, 'idempotency-key');
    const answer = await shop.request(method, path, {
      query: queryOf(input),
      body,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    input.terminal.print(answer);
  },
});

/** One command for each method. */
export const requestCommands: Readonly<Record<string, Command>> = {
  get: read,
  post: writing('POST', 'create, or act: store-api post catalog/brands --data ...'),
  put: writing('PUT', 'change: store-api put catalog/brands/7 --data ...'),
  delete: writing('DELETE', 'delete: store-api delete catalog/brands/7'),
};

/** Prints the records of a list: an array for reading, one record a line with `--json`. */
class ListPrinter {
  readonly #terminal: CommandInput['terminal'];
  #count = 0;

  constructor({ terminal }: CommandInput) {
    this.#terminal = terminal;
  }

  add(record: unknown) {
    const { isJson } = this.#terminal;
    const text = JSON.stringify(record, null, isJson ? 0 : 2);
    if (isJson) this.#terminal.line(text);
    else this.#terminal.line((this.#count === 0 ? '[\n' : ',\n') + text);
    this.#count += 1;
    if (this.#count % 100 === 0) this.#terminal.progress(`${this.#count} records`);
  }

  end() {
    this.#terminal.progress('');
    if (!this.#terminal.isJson) this.#terminal.line(this.#count === 0 ? '[]' : ']');
  }
}

function pathOf({ positionals: [path, ...others] }: CommandInput): string {
  if (path === undefined) throw new UsageError('Which path? Write it like catalog/brands.');
  if (others.length > 0) throw new UsageError(`One path, please: ${others.join(' ')} is too much.`);
  return path.startsWith('/') ? path : `/${path}`;
}

function queryOf(input: CommandInput): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const pair of textsOf(input, 'query')) {
    const [name = '', ...value] = pair.split('=');
    if (name === '' || value.length === 0) {
      throw new UsageError(`${pair} is not a query parameter. Write it like limit=50.`);
    }
    const text = value.join('=');
    query[name] = query[name] === undefined ? text : [query[name], text].flat();
  }
  const include = textOption(input, 'include');
  if (include !== undefined) query.include = include;
  return query;
}

async function bodyOf(input: CommandInput): Promise<JsonValue | undefined> {
  const data = textOption(input, 'data');
  if (data === undefined) return undefined;
  const text = data.startsWith('@') ? await readSource(data.slice(1)) : data;
  try {
    return JSON.parse(text) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? ` ${error.message}.` : '';
    throw new UsageError(`The data is not JSON.${reason}`);
  }
}

async function readSource(name: string): Promise<string> {
  if (name === '-') return readText(process.stdin);
  try {
    return readFileSync(name, 'utf8');
  } catch {
    throw new UsageError(`The file ${name} cannot be read.`);
  }
}
