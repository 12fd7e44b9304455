import { nearestOf } from '../base/nearest.ts';

/** Longer paths, and those with more segments, are no mistake in a path of this API. */
const maxLength = 300;
const maxSegments = 10;

/**
 * The share of letters that a path with a misspelt word has in common with the one that was meant.
 */
const leastAlike = 0.6;

const isParameter = (segment: string) => segment.startsWith('{');

/**
 * Without the ending of a plural: `categories` and `category` become the same, as `addresses` and
 * `address`.
 */
const stemOf = (word: string) => word.toLowerCase().replace(/[eisy]{1,6}$/, '');

/** The segments that are left out of a path by mistake, by what is said of it. */
const omissions: readonly (readonly [at: number | undefined, say: (omitted: string) => string])[] =
  [
    [undefined, () => ''],
    [0, () => 'this path lacks the alias of the store'],
    [1, (area) => `this path lacks ${area}`],
  ];

/**
 * Returns what is wrong with a path that does not exist, and the nearest of the `known` ones, which
 * begin with `basePath`. Finds a missing version, alias or area, a singular, a slash too many, and
 * else a misspelt word. The text repeats nothing of what was sent. `prefixes` says that any
 * segments may follow a known path. Its work grows with the known paths only.
 */
export function explainPath(
  path: string,
  basePath: string,
  known: readonly string[],
  prefixes = false,
): string | undefined {
  const sent = path
    .slice(0, maxLength + 1)
    .split('/')
    .filter(Boolean);
  if (path.length > maxLength || sent.length > maxSegments) return undefined;
  const isVersioned = path.startsWith(`${basePath}/`);
  const version = sent.findIndex((segment) => !/^(?:api|v\d+)$/i.test(segment));
  const rest = version < 0 ? [] : sent.slice(version);
  const slips = [
    ...(isVersioned ? [] : [`paths begin with ${basePath}`]),
    ...(path.includes('//') ? ['this path has two slashes in a row'] : []),
    ...(path.endsWith('/') ? ['this path has a slash at the end'] : []),
  ];
  const stems = rest.map(stemOf);
  // `/operator/audit` is no `/{alias}/audit`.
  const ordered = known.toSorted((one, other) => one.split('{').length - other.split('{').length);
  for (const [at, say] of omissions) {
    for (const template of ordered) {
      const wanted = template.slice(basePath.length + 1).split('/');
      const omitted = at === undefined ? undefined : wanted[at];
      // An area is a word between the alias and a word below it.
      const isArea = at === 1 && isParameter(wanted[0] ?? '') && /^\w/.test(wanted[2] ?? '');
      if (at !== undefined && !isArea && !(at === 0 && isParameter(omitted ?? ''))) continue;
      const left = wanted.filter((_, index) => index !== at);
      const isLongEnough = prefixes ? rest.length >= left.length : rest.length === left.length;
      const fits = left.every((word, index) => isParameter(word) || stemOf(word) === stems[index]);
      if (!isLongEnough || !fits) continue;
      const others = left.filter((word, index) => !isParameter(word) && word !== rest[index]);
      const plurals = others.map(
        (word) => `say ${word}${word.endsWith('s') ? ', in the plural' : ''}`,
      );
      const reasons = [...slips, say(omitted ?? ''), ...plurals].filter((reason) => reason !== '');
      return `Use ${template}: ${reasons.join('; ')}.`;
    }
  }
  const words = rest.slice(1).filter((segment) => !/^\d+$/.test(segment));
  const named = new Map(
    known.map((template) => [template.slice(basePath.length).replaceAll(/\{\w+\}/g, ''), template]),
  );
  const [nearest] =
    words.length === 0 ? [] : nearestOf(words.join('/'), [...named.keys()], leastAlike);
  const template = nearest !== undefined && named.get(nearest);
  return template ? `Compare the spelling: the nearest path is ${template}.` : undefined;
}
