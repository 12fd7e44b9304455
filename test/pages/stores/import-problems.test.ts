import { describe, expect, it } from 'vitest';
import { toFieldErrors } from '../../../src/base/codecs/field-errors.ts';
import { productFields, requiredFields } from '../../../src/catalog/products/requests.ts';
import { changedSkuFields } from '../../../src/catalog/skus/requests.ts';
import {
  parseLine,
  NewProductLine,
  ProductLine,
} from '../../../src/catalog/transfers/parse-line.ts';
import {
  guessColumns,
  toLines,
  type TableLine,
} from '../../../src/catalog/transfers/table-lines.ts';
import { problemIn } from '../../../src/pages/stores/import-problems.ts';
import { messagesFor } from '../../../src/web/texts/messages.ts';

const wrong: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'x',
  '\ud800',
  `e${'\u0301'.repeat(100)}`,
  'x'.repeat(20_000),
  -1,
  0.123456,
  1e15,
  true,
  {},
  { 1: 4, 3: 8 },
  [],
  [{}],
  [1, 1],
  Array.from({ length: 2_000 }, (_, at) => at + 1),
  Array.from({ length: 200 }, () => ({})),
  [{ url: 'https://a.example/1' }, { url: 'https://a.example/1' }],
  [{ url: 'a' }],
  [{ url: 'https://a.example/1', alt: 'x'.repeat(300) }],
  [{ name: '', value: 'x'.repeat(60) }],
];

const skuFields = Object.keys({ ...changedSkuFields, quantity: 0 });

/** All messages that wrong values of any field cause in a line. */
function messagesOfFields(): string[] {
  const fields = Object.keys({ ...productFields, ...requiredFields, skus: [] });
  const lines = wrong.flatMap((value) => [
    ...fields.map((field) => ({ [field]: value })),
    ...skuFields.map((field) => ({ skus: [{ [field]: value }] })),
  ]);
  const twins = { skus: [{ sku: 'a' }, { sku: 'A' }] };
  const parsed = [...lines, twins].flatMap((line) =>
    [NewProductLine, ProductLine].map((schema) => schema.safeParse(line)),
  );
  return parsed.flatMap(({ error }) => (error ? Object.values(toFieldErrors(error)).flat() : []));
}

/** All messages of lines that are no product at all. */
function messagesOfLines(): string[] {
  const texts = ['{', '[]', '{"id":0}', '['.repeat(100), `{${'"a":1,'.repeat(10_001)}"b":1}`];
  const noJson = ['{}x', '{"a":1"', '{"a"1', '{"a":}', '{"a":1,}', '{"a":"', '{a', '{"a":x'];
  const written = [...texts, ...noJson].map((text) => new TextEncoder().encode(text));
  const contents = [undefined, Uint8Array.of(0x7b, 0xff), ...written];
  return contents.flatMap((content) =>
    Object.values(parseLine({ number: 1, content, end: 1 }).errors ?? {}).flat(),
  );
}

/** All messages of cells that no line can have. */
async function messagesOfCells(): Promise<string[]> {
  const header = ['name', 'price', 'sku', 'brand'] as const;
  const cells = [
    ['A', '1e3', '7E+12', '\u200b'],
    ['#N/A', '', '', 'x'.repeat(300), 'further'],
  ];
  const columns = guessColumns(header);
  const mapping = {
    header,
    columns,
    marks: [],
    active: true,
    brand: undefined,
    brands: new Set<string>(),
  };
  const messages: string[] = [];
  for await (const line of toLines(
    cells.map((row, at) => ({ number: at + 2, cells: row })),
    mapping,
  )) {
    const { refused = [] } = JSON.parse(line) as TableLine;
    messages.push(...refused.map(({ message }) => message));
  }
  expect(new Set(messages).size).toBe(6);
  return messages;
}

/** Those that depend on the store. */
const others = [
  'Already taken.',
  'No such SKU in this store.',
  'Must leave at least the reserved quantity, and at most 1,000,000,000.',
  'No such brand in this store.',
  'No such category in this store.',
  'A product has at most 100 SKUs.',
  'Cannot be imported: the service has a fault.',
];

describe('problemIn', async () => {
  const caused = new Set([
    ...messagesOfFields(),
    ...messagesOfLines(),
    ...(await messagesOfCells()),
    ...others,
  ]);

  it.each(['es', 'pt-BR'] as const)('has a text in %s for each message of a line', (language) => {
    expect(caused.size).toBeGreaterThan(25);
    const untold = [...caused].filter((message) => problemIn(language, message) === undefined);
    expect(untold).toEqual([]);
    expect([...caused].filter((message) => problemIn(language, message) === message)).toEqual([]);
  });

  it('has no text that no message needs', () => {
    const needed = new Set([...caused].map((message) => problemIn('es', message)));
    const { problems } = messagesFor('es').transfers;
    const plain = Object.values(problems).filter((text) => !text.includes('{'));
    expect(plain.filter((text) => !needed.has(text))).toEqual([]);
    const places = Object.values(messagesFor('en').transfers.problems)
      .filter((text) => /\{(?:column|byte)\}/.test(text))
      .map((text) => text.replace(/\d+|\{\w+\}/, '#'));
    const told = new Set([...caused].map((message) => message.replace(/\d+/, '#')));
    expect(places).toHaveLength(10);
    expect(places.filter((text) => !told.has(text))).toEqual([]);
  });

  it('writes numbers as the language does, and knows no message of another kind', () => {
    const message = 'Must be a number from 0 to 99,999,999.99 with at most two decimals.';
    expect(problemIn('pt-BR', message)).toBe(
      'Deve ser um número de 0 a 99.999.999,99, com no máximo duas casas decimais.',
    );
    expect(problemIn('en', message)).toBe(message);
    expect(problemIn('es', 'Something else.')).toBeUndefined();
  });
});
