import { foldText } from '../base/codecs/fields/normalize-text.ts';
import type { Tool } from './tool.ts';

/** The searched words of a tool in lower case, with the weight of a hit. */
const weights = { name: 6, title: 4, tag: 3, fields: 2, description: 1 } as const;

type Part = keyof typeof weights;

const parts = Object.keys(weights) as Part[];

const known = new WeakMap<Tool, Record<Part, ReadonlySet<string>>>();

/** Returns the ten tools that fit the words best, over names, descriptions and fields. */
export function searchTools(tools: readonly Tool[], query: string): Tool[] {
  const words = new Set(wordsOf(query.slice(0, 500)).filter((word) => !emptyWords.has(word)));
  const meant = [...words].flatMap((word) => synonyms.get(word) ?? []);
  const wanted = new Map([
    ...meant.map((word) => [word, synonymWorth] as const),
    ...[...words].map((word) => [word, 1] as const),
  ]);
  const worth = new Map([...wanted].map(([word, share]) => [word, share * rarityOf(word, tools)]));
  const scored = tools.map((tool) => ({ tool, score: scoreOf(tool, worth) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.tool.name.length - other.tool.name.length)
    .slice(0, 10)
    .map(({ tool }) => tool);
}

/** The weight of a synonym, relative to a word of the query. */
const synonymWorth = 0.9;

/** How much a word says: one of few tools more than a verb of all of them (inverse document frequency). */
function rarityOf(word: string, tools: readonly Tool[]): number {
  const having = tools.filter((tool) => parts.some((part) => indexOf(tool)[part].has(word)));
  return Math.log(1 + tools.length / Math.max(1, having.length));
}

function scoreOf(tool: Tool, worth: ReadonlyMap<string, number>): number {
  const indexed = indexOf(tool);
  let score = 0;
  for (const [word, value] of worth) {
    for (const part of parts) if (indexed[part].has(word)) score += weights[part] * value;
  }
  // Of `list_orders` and `list_order_history`, the first is all that "list orders" asks for.
  const named = [...indexed.name].filter((word) => worth.has(word)).length;
  return score + (weights.name * named) / indexed.name.size;
}

function indexOf(tool: Tool): Record<Part, ReadonlySet<string>> {
  const found = known.get(tool);
  if (found) return found;
  const { name, title, translations, tag, fields, description, inputSchema } = tool;
  const names = [...fields, ...Object.keys(inputSchema.properties ?? {})].join(' ');
  const index = {
    name: new Set(wordsOf(name)),
    title: new Set([title, ...translations].flatMap(wordsOf)),
    tag: new Set(wordsOf(tag)),
    fields: new Set(wordsOf(names)),
    description: new Set(wordsOf(description)),
  };
  known.set(tool, index);
  return index;
}

/** Words that say nothing about what is wanted, in English, Portuguese and Spanish. */
const emptyWords: ReadonlySet<string> = new Set(
  [
    'a an and are by did do for from how i in is it me my no not of on or our please that the this to want was were what with',
    'ao as com da das de do dos e em eu meu meus minha nao na nas no nos o os ou para por quais qual que quero se sem um uma',
    'al como con cuales de del el en es la las lo los mi mis para por que quiero sin son su sus un una y',
  ].flatMap((words) => words.split(' ')),
);

/** The words of a text, without accents and their usual endings. */
function wordsOf(text: string): string[] {
  return (foldText(text).match(/[\p{L}\p{N}]+/gu) ?? []).map(stem);
}

const stem = (word: string) =>
  word.length > 4
    ? word
        .replace(/(?:ies|y)$/, 'i')
        .replace(/(?:es|s|ing|ed|e)$/, '')
        .replace(/([lnprt])\1$/, '$1')
    : word.replace(/s$/, '');

/** Words that people use for those of the names, in the three languages where the titles do not have them. */
const spoken: Readonly<Record<string, readonly string[]>> = {
  change: ['update'],
  edit: ['update'],
  set: ['update', 'change'],
  modify: ['update'],
  raise: ['update', 'change'],
  add: ['create'],
  new: ['create'],
  make: ['create'],
  remove: ['delete'],
  get: ['show'],
  read: ['show', 'list'],
  find: ['list'],
  search: ['list'],
  all: ['list'],
  which: ['list'],
  refund: ['cancel', 'transaction'],
  pay: ['payment', 'transaction'],
  unpaid: ['list', 'order', 'status'],
  paid: ['list', 'order', 'status'],
  pago: ['list', 'order', 'status'],
  pagado: ['list', 'order', 'status'],
  sell: ['sales', 'order'],
  few: ['low'],
  pouco: ['low'],
  poco: ['low'],
  vender: ['sales', 'order'],
  vendi: ['sales', 'order'],
  vendido: ['sales', 'order'],
  frete: ['shipping', 'cart'],
  envio: ['shipping', 'cart'],
  entrega: ['order', 'track'],
  preco: ['price', 'update', 'change'],
  precio: ['price', 'update', 'change'],
  reembolsar: ['cancel', 'transaction'],
  estornar: ['cancel', 'transaction'],
  falha: ['failure', 'webhook'],
  falla: ['failure', 'webhook'],
  receive: ['stock'],
  arrive: ['stock'],
  goods: ['stock'],
  parcel: ['order', 'track'],
  deliver: ['order', 'track'],
  ship: ['order', 'track'],
  hide: ['update', 'active', 'approved'],
  discount: ['price', 'offer'],
  sale: ['price', 'sold'],
  photo: ['image'],
  picture: ['image'],
  shop: ['store', 'setting'],
  store: ['setting'],
  abandoned: ['cart', 'remind'],
  bought: ['order', 'customer'],
  sold: ['sales', 'order'],
  cancel: ['order', 'status', 'update'],
  privacy: ['customer', 'export'],
  fail: ['failure'],
  client: ['customer'],
  buyer: ['customer'],
  basket: ['cart'],
  review: ['comment'],
  inventory: ['stock'],
  variant: ['sku'],
  variation: ['sku'],
  item: ['product'],
};

const synonyms = new Map(
  Object.entries(spoken).map(([word, meant]) => [stem(word), meant.map(stem)] as const),
);
