import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Tool, type ToolFile, toolFilePath } from '../../../src/mcp/tool.ts';
import { hostileUnits } from '../../support/hostile-units.ts';
import { countSteps, stepsSource } from '../../support/node/load/count-steps.ts';
import { crawlPages, type ShownForm, type ShownPages } from '../../support/node/load/crawl.ts';
import { type RunningDemo, startDemo } from '../../support/node/runtime/demo.ts';

let demo: RunningDemo;
let shown: ShownPages;
let tools: ToolFile['tools'];
beforeAll(async () => {
  demo = await startDemo({ change: countSteps, wrapperSource: stepsSource });
  shown = await crawlPages(demo.origin);
  ({ tools } = JSON.parse(readFileSync(`dist/docs/${toolFilePath}`, 'utf8')) as ToolFile);
}, 300_000);
afterAll(() => demo?.close());

const units = {
  ...hostileUnits,
  'marks of third parties': '[third party] ',
  quotes: '"',
  'escaped quotes': '\\"',
  'line feeds': '\n',
  'addresses of pictures': 'https://a.example/b.png,',
  references: '&#38;',
  percents: '%41%',
  hosts: 'xn--a.',
  digits: '1.000.',
};

/** Repeats a unit up to a length in bytes. */
const filled = (unit: string, bytes: number) =>
  unit.repeat(Math.floor(bytes / new TextEncoder().encode(unit).length));

/** A place for texts: a request with so many bytes of a unit in each of its fields. */
interface Place {
  name: string;
  bytes: number;
  send: (text: (share: number) => string, turn: number) => { path: string; init: RequestInit };
}

interface Cost {
  steps: number;
  milliseconds: number;
  status: number;
}

const readSteps = async () => Number(await (await fetch(`${demo.origin}/steps`)).text());

/** The steps once nothing is under way beside requests, such as a job that an earlier one began. */
async function settledSteps(): Promise<number> {
  for (let [before, time] = [await readSteps(), 0]; ; time += 1) {
    await setTimeout(1_000);
    const steps = await readSteps();
    if (steps - before < quiet || time === 20) return steps;
    before = steps;
  }
}

/** A unit with its turn among them. */
type Unit = readonly [turn: number, text: string];

/** The cost of a request, with that of the jobs that it began if it is `settled`. */
async function costOf(
  place: Place,
  [turn, unit]: Unit,
  bytes: number,
  isSettled = false,
): Promise<Cost> {
  const { path, init } = place.send((share) => filled(unit, bytes / share), turn);
  const count = isSettled ? settledSteps : readSteps;
  const before = await count();
  const start = performance.now();
  const response = await fetch(demo.origin + path, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  const milliseconds = performance.now() - start;
  return { steps: (await count()) - before, milliseconds, status: response.status };
}

/** Steps of a service that does nothing beside the request that reads them. */
const quiet = 100;

/**
 * Steps that a request takes whatever its length, and those of work that is under way beside it.
 */
const constant = 30_000;

/** A text of twice the length takes at most so many times the steps. */
const growth = 2.5;

/** What takes less is fast enough for anything. */
const fastMs = 60;

/**
 * Each place takes one of so many of the units, by turns, so that all meet each kind of place in a
 * bearable time.
 */
const oneOf = 3;

let places = 0;

/**
 * Asserts that twice the length of a text takes twice the steps, and not much more time where it
 * takes long.
 */
async function expectLinear(place: Place, problems: string[]) {
  places += 1;
  for (const [turn, [name, text]] of Object.entries(units).entries()) {
    if ((turn + places) % oneOf > 0) continue;
    const unit: Unit = [turn, text];
    let half = await costOf(place, unit, place.bytes / 2);
    let whole = await costOf(place, unit, place.bytes);
    const label = `${place.name} with ${name} (${whole.status})`;
    const isSteep = () => whole.steps > growth * half.steps + constant;
    // Mostly the job of an earlier request.
    for (let pair = 0; isSteep() && pair < 3; pair += 1) {
      half = await costOf(place, unit, place.bytes / 2, true);
      whole = await costOf(place, unit, place.bytes, true);
    }
    if (whole.status >= 500) problems.push(`${label}: ${whole.status}`);
    if (isSteep()) problems.push(`${label}: ${half.steps} steps, then ${whole.steps}`);
    // Native code has no steps. One fair pair is enough, since a busy machine only slows down.
    let least = half.milliseconds;
    for (let pair = 0; whole.milliseconds > Math.max(fastMs, 3 * least) && pair < 10; pair += 1) {
      least = Math.max(least, (await costOf(place, unit, place.bytes / 2)).milliseconds);
      whole = await costOf(place, unit, place.bytes);
    }
    if (whole.milliseconds > Math.max(fastMs, 3 * least))
      problems.push(`${label}: ${least} ms, then ${whole.milliseconds} ms`);
  }
}

const pageHeaders = (cookie: string) => ({ Cookie: cookie, Origin: demo.origin });

/**
 * The forms of a page: a text in all fields, or all of it in one of them, by turns of the units.
 */
const formPlace = (form: ShownForm, isInOne: boolean): Place => ({
  name: `POST ${form.action}${isInOne ? ', one field' : ''}`,
  bytes: 10_000,
  send: (text, turn) => {
    const sent = form.fields.filter(([name]) => name !== 'form_token');
    const names = [...new Set(sent.map(([name]) => name))];
    const token = form.fields.filter(([name]) => name === 'form_token');
    const inTurn = turn % names.length;
    const fields = names.map((name, at): [string, string] => {
      if (!isInOne) return [name, text(names.length)];
      return [name, at === inTurn ? text(1) : (sent.find(([one]) => one === name)?.[1] ?? '')];
    });
    const body = new URLSearchParams([...token, ...fields].map(([name, value]) => [name, value]));
    return { path: form.action, init: { method: 'POST', headers: pageHeaders(form.cookie), body } };
  },
});

/** The first of those whose addresses differ by their ids only. */
const firstOfKind = <T>(all: readonly T[], addressOf: (one: T) => string): T[] => {
  const kindOf = (one: T) =>
    addressOf(one)
      .replace(/\?.*/, '')
      .replaceAll(/\/(?:\d+|demo|outlet|bancada|[a-z]+-app)(?=\/|$)/g, '/1');
  return [...new Map(all.toReversed().map((one) => [kindOf(one), one])).values()];
};

const queries = ['q', 'search', 'cursor', 'page', 'lang', 'status', 'token', 'summary'];

describe('twice the length of a text takes twice the steps', () => {
  it('counted as calls and as turns of loops', async () => {
    const source = `const add = (n) => n + 1;
      export function square(n) {
        let sum = 0;
        for (let i = 0; i < n; i++) for (const _ of Array(n)) sum = add(sum);
        return [1].map(() => sum)[0];
      }`;
    const address = `data:text/javascript,${encodeURIComponent(countSteps(source))}`;
    const { square } = (await import(address)) as { square: (n: number) => number };
    const counter = (globalThis as unknown as { __steps: { count: number } }).__steps;
    for (const n of [10, 20]) {
      counter.count = 0;
      expect(square(n)).toBe(n * n);
      expect(counter.count).toBe(2 + n + 2 * n * n);
    }
  });

  it('in each query of a page', async () => {
    const problems: string[] = [];
    for (const { path, cookie } of firstOfKind(shown.pages, (page) => page.path)) {
      await expectLinear(
        {
          name: `GET ${path}`,
          bytes: 3_000,
          send: (text) => {
            const query = new URLSearchParams(queries.map((name) => [name, text(queries.length)]));
            const address = `${path.replace(/\?.*/, '')}?${query.toString()}`;
            return { path: address, init: { headers: pageHeaders(cookie) } };
          },
        },
        problems,
      );
    }
    expect(problems).toEqual([]);
  }, 1_800_000);

  it('in each form', async () => {
    const problems: string[] = [];
    const forms = firstOfKind(shown.forms, ({ action }) => action);
    expect(forms.length).toBeGreaterThan(30);
    for (const form of forms) {
      await expectLinear(formPlace(form, false), problems);
      await expectLinear(formPlace(form, true), problems);
    }
    expect(problems).toEqual([]);
  }, 1_800_000);

  it('in each file', async () => {
    const problems: string[] = [];
    const starts = {
      table: 'sku,name,price\n',
      cell: 'sku,images\na,"',
      line: '{"name":"',
      none: '',
    };
    const forms = shown.forms.filter(({ takesFile }) => takesFile);
    for (const form of firstOfKind(forms, ({ action }) => action)) {
      for (const [kind, start] of Object.entries(starts)) {
        await expectLinear(
          {
            name: `a file of ${kind} to ${form.action}`,
            bytes: 1_000_000,
            send: (text) => {
              const body = new FormData();
              for (const [name, value] of form.fields) body.append(name, value);
              body.append('file', new File([start + text(1)], 'a.csv'));
              const headers = pageHeaders(form.cookie);
              return { path: form.action, init: { method: 'POST', headers, body } };
            },
          },
          problems,
        );
      }
    }
    expect(problems).toEqual([]);
  }, 1_800_000);

  it('in each tool', async () => {
    const problems: string[] = [];
    for (const tool of tools) await expectLinear(toolPlace(tool), problems);
    expect(problems).toEqual([]);
  }, 1_800_000);
});

const headersOfTools = {
  'Content-Type': 'application/json',
  'User-Token': 'demo-user-token',
  'User-Secret-Key': 'sk_demo_secret_key',
};

/** The value of an example with a text in place of each of its own. */
const withTexts = (value: unknown, text: () => string): unknown => {
  if (typeof value === 'string') return text();
  if (Array.isArray(value)) return value.map((item) => withTexts(item, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withTexts(inner, text)]),
  );
};

/** A call of a tool with a text in each argument that may be one. */
const toolPlace = ({ name, example, inputSchema }: Tool): Place => ({
  name,
  bytes: 300_000,
  send: (text) => {
    const places: string[] = [];
    withTexts(example, () => (places.push(''), ''));
    const others = Object.entries(inputSchema.properties ?? {}).filter(
      ([argument, { type }]) => type === 'string' && !(argument in example),
    );
    const share = Math.max(1, places.length + others.length);
    const sent = {
      ...Object.fromEntries(others.map(([argument]) => [argument, text(share)])),
      ...(withTexts(example, () => text(share)) as Record<string, unknown>),
    };
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: sent },
    };
    const init = { method: 'POST', headers: headersOfTools, body: JSON.stringify(message) };
    return { path: '/mcp', init };
  },
});
