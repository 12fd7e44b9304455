import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  readRows,
  tableLimits,
  TableFault,
  type TableText,
} from '../../../src/catalog/transfers/csv.ts';
import { readImages, toLines } from '../../../src/catalog/transfers/table-lines.ts';
import {
  keepTable,
  loadKeptTable,
  loadTable,
  storeTable,
} from '../../../src/catalog/transfers/waiting-table.ts';
import { proposedIn } from '../../pages/stores/support.ts';
import { fakeLimiter, limitBindings } from '../../support/api/limits.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { isSlow } from '../../support/slow.ts';
import { stopClock } from '../../support/stop-clock.ts';
import { upTo } from '../../support/transfers/catalog.ts';

stopClock();

/** A text that counts the characters that are looked at, and copied. */
function countedText(text: string) {
  let steps = 0;
  const counted: TableText = {
    length: text.length,
    charCodeAt: (at) => {
      steps += 1;
      return text.charCodeAt(at);
    },
    indexOf: (part, from = 0) => {
      const found = text.indexOf(part, from);
      steps += (found === -1 ? text.length : found) - from + 1;
      return found;
    },
    slice: (from, to = text.length) => {
      steps += to - (from ?? 0);
      return text.slice(from, to);
    },
  };
  return { counted, steps: () => steps };
}

/** Repeats a text up to a length. */
const filled = (unit: string, length: number) =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** What cells and files are hostile of. */
const units = [
  '"',
  '""',
  '\\"',
  '\\',
  '\\\\"',
  '"\\',
  '" ',
  '"a"',
  'a"b',
  ',',
  ';"',
  '\n',
  '"\n',
  '\r',
  ' ',
  '|',
  'https:',
  ',https:',
  "'",
  ";'",
  '=',
  '1.',
  'a',
];

/** The steps of reading a text, to its end or to what is wrong in it. */
function stepsOfRows(text: string): number {
  const { counted, steps } = countedText(text);
  try {
    for (const _ of readRows(counted));
  } catch (error) {
    expect(error).toBeInstanceOf(TableFault);
  }
  return steps();
}

function stepsOfImages(cell: string): number {
  const { counted, steps } = countedText(cell);
  readImages(counted);
  return steps();
}

describe('a table costs as much as it is long', () => {
  it.each(units)('with a file of %j', (unit) => {
    for (const start of ['', 'name\n', 'name\n"', 'a,b\nx,"y" ']) {
      for (const length of isSlow ? [25_000, 100_000, 400_000] : [10_000, 50_000]) {
        // Each of three delimiters is tried on the first row. A character is looked at, copied, and
        // looked for.
        expect(stepsOfRows(start + filled(unit, length))).toBeLessThan(12 * length);
      }
    }
  });

  it.each(units)('with a cell of images of %j', (unit) => {
    for (const start of ['', '"', 'https://a.example "']) {
      for (const length of isSlow ? [20_000, 80_000, 160_000] : [5_000, 20_000])
        expect(stepsOfImages(start + filled(unit, length))).toBeLessThan(4 * length);
    }
  });

  it('and no more of it is read than a table has: rows, columns and characters of a row', () => {
    const length = 8_000_000;
    for (const unit of ['\n', ',', '\r\n', ';\n', '"', '""', 'x', '",']) {
      const text = filled(unit, length);
      let cells = 0;
      const { counted, steps } = countedText(text);
      const read = () => {
        for (const row of readRows(counted)) cells += row.cells.length;
      };
      expect(read, JSON.stringify(unit)).toThrow(TableFault);
      expect(cells).toBeLessThanOrEqual(2 * (tableLimits.rows + 1));
      // The rows, and the first of them for each delimiter.
      expect(steps(), JSON.stringify(unit)).toBeLessThan(12 * tableLimits.rowLength);
    }
  });

  it('and its lines are not longer than they may be because of a long header', async () => {
    const store = await createTestStore();
    const header = filled('x', 100_000);
    const id = await storeTable(env.ARCHIVE, store.id, `name,${header}\n${'A,b\n'.repeat(9_000)}`);
    const waiting = await loadTable(env.ARCHIVE, store.id, id, Date.now());
    let length = 0;
    for await (const line of toLines(waiting!.read(), {
      header: waiting!.columns.map((column) => column.header),
      columns: ['name', 'variation'],
      marks: [],
      active: true,
      brand: undefined,
      brands: new Set(),
    }))
      length += line.length;
    expect(length).toBeLessThan(9_000 * 500);
  });
});

const tablesOf = async (storeId: number) =>
  (await env.ARCHIVE.list({ prefix: `tables/${storeId}/` })).objects;

describe('tables that wait', () => {
  it('are five of a store, also at once; a further one takes the place of the oldest', async () => {
    const store = await createTestStore();
    const ids: string[] = [];
    for (const n of upTo(6)) {
      ids.push(await storeTable(env.ARCHIVE, store.id, `name\n${n}\n`));
      // The bucket says in milliseconds when it got an object.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    expect(await tablesOf(store.id)).toHaveLength(5);
    const found = await Promise.all(
      ids.map((id) => loadTable(env.ARCHIVE, store.id, id, Date.now())),
    );
    expect(found.map((table) => table?.rows)).toEqual([undefined, 1, 1, 1, 1, 1]);
    // The import of a table that has lost its place keeps no other one, nor takes it away.
    const file = `imports/${store.id}/one`;
    await keepTable(env.ARCHIVE, store.id, ids[0] ?? '', file);
    expect(await loadKeptTable(env.ARCHIVE, file)).toBeUndefined();
    expect(await tablesOf(store.id)).toHaveLength(5);
    await keepTable(env.ARCHIVE, store.id, ids[5] ?? '', file);
    expect(await loadKeptTable(env.ARCHIVE, file)).toMatchObject({ rows: 1 });
    expect(await tablesOf(store.id)).toHaveLength(4);
    await Promise.all(upTo(20).map(() => storeTable(env.ARCHIVE, store.id, 'name\nA\n')));
    expect(await tablesOf(store.id)).toHaveLength(5);
  });

  it('are gone after a day', async () => {
    const store = await createTestStore();
    const id = await storeTable(env.ARCHIVE, store.id, 'name\nA\n');
    const hour = 3_600_000;
    const find = (later: number) => loadTable(env.ARCHIVE, store.id, id, Date.now() + later);
    expect(await find(23 * hour)).toBeDefined();
    expect(await find(25 * hour)).toBeUndefined();
  });

  it('are read once: a view of the form reads their beginning only', async () => {
    const store = await createTestStore();
    const rows = `${filled('texto ', 700)}\n`.repeat(9_000);
    const id = await storeTable(env.ARCHIVE, store.id, `name\n${rows}`);
    const [object] = await tablesOf(store.id);
    expect(object!.size).toBeGreaterThan(6_000_000);
    const ranges: unknown[] = [];
    const files = new Proxy(env.ARCHIVE, {
      get: (bucket, name) => {
        if (name !== 'get') return Reflect.get(bucket, name) as unknown;
        return (key: string, options: R2GetOptions) => {
          ranges.push(options.range);
          return bucket.get(key, options);
        };
      },
    });
    const table = await loadTable(files, store.id, id, Date.now());
    expect(table).toMatchObject({ rows: 9_000, columns: [{ header: 'name' }] });
    expect(ranges).toEqual([{ offset: 0, length: 262_144 }]);
  });

  it('weigh what they cost: 429 for the third of 8 MB in a minute', async () => {
    const store = await createTestStore();
    const browser = await new Browser().signIn(store.userId);
    browser.bindings = limitBindings({ ME_LIMIT: fakeLimiter(false), ME_PER_MINUTE: '600' });
    const path = `/account/stores/${store.alias}/imports`;
    const rows = `${filled('texto ', 790)}\n`.repeat(9_900);
    const upload = () => browser.upload(path, new File([`name\n${rows}`], 'a.csv'));
    const first = await upload();
    expect(first.status).toBe(303);
    // Small forms count one each; the isolate allows a tenth of the limit by itself.
    expect((await upload()).status).toBe(429);
    const asked = await browser.get(first.location ?? '');
    const sent = { ...proposedIn(asked.html), active: 'yes', brand: 'A' };
    expect((await browser.submit(first.location ?? '', sent)).status).toBe(429);
    expect((await store.api('GET /catalog/imports')).body.data).toEqual([]);
  });
});
