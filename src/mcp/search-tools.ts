import { foldText } from '../base/codecs/fields/normalize-text.ts';
import type { Tool } from './tool.ts';

/** The searched words of a tool in lower case, with the weight of a hit. */
const weights = { name: 6, title: 4, words: 4, tag: 3, fields: 2, description: 1 } as const;

type Part = keyof typeof weights;

const parts = Object.keys(weights) as Part[];

/** The words of a tool by part, and those of its name and of each title, one list a text. */
type Index = Record<Part, ReadonlySet<string>> & { phrases: ReadonlySet<string>[] };

const known = new WeakMap<Tool, Index>();

/** The result of a search. */
interface FoundTools {
  /** The six that fit best; none if nothing is known of the subject. */
  tools: Tool[];
  /** Words that no tool knows. */
  unknown: string[];
}

/** A word that more tools know than this share of them says how, not what. */
const subjectShare = 0.25;

/**
 * Finds the tools that fit the words best, over names, titles in all languages, further words,
 * descriptions and fields.
 */
export function searchTools(tools: readonly Tool[], query: string): FoundTools {
  const sent = new Map(termsOf(query.slice(0, 500)).map((term) => [stem(term), term] as const));
  const words = [...sent.keys()].filter((word) => !emptyWords.has(word));
  const having = new Map(words.map((word) => [word, countOf(word, tools)] as const));
  const unknown = words.filter((word) => having.get(word) === 0);
  const isSubject = (word: string) => {
    const count = having.get(word) ?? 0;
    if (count === 0 || count <= tools.length * subjectShare) return count > 0;
    // Orders are known to many, and a subject nevertheless: `list_orders` has a verb and its
    // subject.
    return tools.some((tool) => [...indexOf(tool).name].indexOf(word) > 0);
  };
  // Of what has no subject here, ten tools that only share a verb would mislead.
  const isUnknown = unknown.length > 0 && !words.some(isSubject);
  const worth = new Map(
    words.map((word) => [word, Math.log(1 + tools.length / Math.max(1, having.get(word) ?? 0))]),
  );
  // Who names no change asks about what is there.
  const isChange = words.some((word) => changeWords.has(word));
  const scored = tools.map((tool) => {
    const score = scoreOf(tool, worth);
    return { tool, score: isChange || tool.annotations.readOnlyHint ? score : score * 0.8 };
  });
  const found = scored
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.tool.name.length - other.tool.name.length)
    .slice(0, 6)
    .map(({ tool }) => tool);
  return { tools: isUnknown ? [] : found, unknown: unknown.map((word) => sent.get(word) ?? word) };
}

/**
 * How many tools know a word. A word says the more, the fewer they are (inverse document
 * frequency).
 */
const countOf = (word: string, tools: readonly Tool[]): number =>
  tools.filter((tool) => parts.some((part) => indexOf(tool)[part].has(word))).length;

function scoreOf(tool: Tool, worth: ReadonlyMap<string, number>): number {
  const indexed = indexOf(tool);
  let score = 0;
  for (const [word, value] of worth) {
    const hits = parts.filter((part) => indexed[part].has(word)).map((part) => weights[part]);
    // A text that says it over and over is not more about it.
    if (hits.length > 0) score += (Math.max(...hits) + hits.length / 4) * value;
  }
  // Of `list_orders` and `list_order_history`, the first is all that "list orders" asks for.
  const shares = indexed.phrases.map(
    (phrase) => [...phrase].filter((word) => worth.has(word)).length / phrase.size,
  );
  return score + 2 * weights.name * Math.max(...shares);
}

function indexOf(tool: Tool): Index {
  const found = known.get(tool);
  if (found) return found;
  const { name, title, translations, words, tag, fields, description, inputSchema } = tool;
  const names = [...fields, ...Object.keys(inputSchema.properties ?? {})].join(' ');
  const index = {
    phrases: [name, title, ...translations].map(
      (text) => new Set(wordsOf(text).filter((word) => !emptyWords.has(word))),
    ),
    name: new Set(wordsOf(name)),
    title: new Set([title, ...translations].flatMap(wordsOf)),
    words: new Set(wordsOf(words)),
    tag: new Set(wordsOf(tag)),
    fields: new Set(wordsOf(names)),
    description: new Set(wordsOf(description)),
  };
  known.set(tool, index);
  return index;
}

const termsOf = (text: string): string[] => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * The words of a text, without accents and their usual endings. Verbs of one meaning are one word.
 */
const wordsOf = (text: string): string[] => termsOf(text).map(stem);

const ending = (word: string) =>
  word.length > 4
    ? word
        .replace(/(?:ies|y)$/, 'i')
        .replace(/(?:es|s|ing|ed|e)$/, '')
        .replace(/([lnprt])\1$/, '$1')
    : word.replace(/s$/, '');

/** Verbs of one meaning in English, Portuguese and Spanish. */
const verbs = [
  'create add new make register criar crie cadastrar cadastre novo nova adicionar inserir crear cree nuevo nueva agregar registrar',
  'update change edit modify set rename hide activate deactivate alterar altere mudar mude editar trocar ativar desativar ocultar esconder cambiar cambie modificar actualizar activar desactivar',
  'delete remove erase excluir exclua apagar apague remover eliminar elimine borrar quitar',
  'list find search which see get show listar buscar procurar encontrar ver mostrar mostre consultar quais cuales',
].map((words) => words.split(' ').map(ending));

const meaning = new Map(verbs.flatMap((words) => words.map((word) => [word, words[0]!] as const)));

function stem(word: string): string {
  const short = ending(word);
  return meaning.get(short) ?? short;
}

/** The verbs of changes. */
const changeWords: ReadonlySet<string> = new Set(
  ['increase', 'raise', 'avisar', 'notify', 'import', 'export', 'cancel', 'refund', 'send', 'retry']
    .map(ending)
    .concat(verbs.slice(0, 3).map(([word = '']) => word)),
);

/** Words that say nothing about what is wanted, in English, Portuguese and Spanish. */
const emptyWords: ReadonlySet<string> = new Set(
  [
    'a an and are by can did do does for from has have how i in is it me my no not of on or our please shop store that the this to want was were what who with',
    'ao as com da das de do dos e em eu loja meu meus minha nao na nas no nos o os ou para por quais qual que quero se sem tem um uma',
    'al como con cuales de del el en es hay la las lo los mi mis para por que quiero sin son su sus tiene tienda un una y',
  ].flatMap((words) => words.split(' ').map(ending)),
);
