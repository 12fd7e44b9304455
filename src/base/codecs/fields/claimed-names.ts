import { foldText } from './normalize-text.ts';

// Names that people and apps give themselves, and that others then trust: of users, apps and
// assistants.

/**
 * Letters that look like one of a to z, as themselves or as their capital. `i`, `l` and `1` are
 * one.
 */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries(
  [
    // Capitals of Greek and Cyrillic that look like another letter than their small form.
    'Н=h Η=h Ν=n Ρ=p Υ=y В=b',
    'а=a в=b с=c ԁ=d е=e һ=h і=i ӏ=i ј=j к=k м=m о=o р=p ԛ=q г=r ѕ=s т=t ѵ=v ԝ=w х=x у=y ү=y ԍ=g п=n',
    'α=a β=b ϲ=c ε=e γ=y ι=i κ=k μ=u ν=v ο=o ρ=p σ=o ς=c τ=t υ=u χ=x ω=w ζ=z η=n',
    'օ=o ս=u հ=h ո=n ց=g ք=p ɑ=a ɡ=g ɩ=i ʋ=v ᴀ=a ʙ=b ᴄ=c ᴅ=d ᴇ=e ꜰ=f ɢ=g ʜ=h ɪ=i ᴊ=j ᴋ=k ʟ=i ᴍ=m ɴ=n ᴏ=o ᴘ=p ʀ=r ꜱ=s ᴛ=t ᴜ=u ᴠ=v ᴡ=w ʏ=y ᴢ=z',
    'l=i 1=i |=i 0=o',
  ].flatMap((line) => line.split(' ').map((pair) => pair.split('='))),
);

const replaceLookAlikes = (text: string) =>
  Array.from(text, (sign) => lookAlikes[sign] ?? sign).join('');

/**
 * Returns the form in which two names are equal that look the same. It has letters and digits only,
 * without case and accents. Those of other scripts are the Latin ones that they look like. Not for
 * showing; empty for a name of signs.
 */
export const skeletonOf = (name: string): string =>
  replaceLookAlikes(foldText(replaceLookAlikes(name)))
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');

/** The marks that pages set beside a name: signs of approval and safety, and the word for it. */
const signs = /[√✓✔✅☑🗸🗹⍻⎷🔏🔐🔒🛡🏅🎖]\u{fe0f}?/gu;
const verified = new Set(
  ['verified', 'verificado', 'verificada', 'verificados', 'verificadas'].map(skeletonOf),
);

/**
 * Takes the marks out of a name that only the service gives, with brackets and separators that are
 * left of them.
 */
export function withoutMarks(name: string): string {
  const words = name
    .replace(signs, ' ')
    .split(/(\s+|[()[\]{}])/)
    .map((word) => (verified.has(skeletonOf(word)) ? ' ' : word));
  const plain = words.join('').replace(/[([{]\s*[)\]}]/g, ' ');
  const isSame = plain === name;
  return isSame ? name : plain.replace(/\s+/g, ' ').replace(/^[\s,;:·•|–—-]+|[\s,;:·•|–—-]+$/g, '');
}

/** Who answers for the service, in its languages. */
const roles = new Set(
  'service servico servicio support suporte soporte operator operador operadora operators operadores system sistema security seguranca seguridad staff helpdesk'
    .split(' ')
    .map(skeletonOf),
);

/** Words that change nothing of what a name claims. */
const fillers = new Set(
  'the of o a os as do da de del el la los las team equipe equipo customer official oficial'
    .split(' ')
    .map(skeletonOf),
);

/**
 * Whether a name says that its bearer is the service. That is one of its own names (`own`), or
 * `support`, `the service` and the like, alone or with such a name. Letters may stand apart.
 */
export function isNameOfService(name: string, own: readonly string[]): boolean {
  const names = new Set(own.map(skeletonOf).filter((one) => one !== ''));
  const whole = skeletonOf(name);
  const bare = whole.replace(/^(?:the|o|a|ei|ia)(?=.)/, '');
  if ([whole, bare].some((one) => roles.has(one) || names.has(one))) return true;
  const words = name.split(/[^\p{L}\p{N}\p{M}|]+/u).map(skeletonOf);
  const rest = words.filter((word) => !roles.has(word) && !fillers.has(word)).join('');
  return names.has(rest) || (rest === '' && words.some((word) => roles.has(word)));
}

/**
 * Whether a person or an app may be called so. Nobody has a name of the service, nor a mark that it
 * gives.
 */
export const mayBeCalled = (
  name: string,
  { brand, serviceName }: { brand: { name: string }; serviceName: string },
): boolean => withoutMarks(name) === name && !isNameOfService(name, [brand.name, serviceName]);
