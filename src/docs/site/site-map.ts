import type { Language } from '../../base/languages.ts';
import { slugOf } from '../build/escape.ts';

/** The part of an address that names the language; English has none. */
const languagePrefix: Record<Language, string> = { en: '', 'pt-BR': '/pt-br', es: '/es' };

/** The folder of the guides in a language. */
export const guideFolder = { en: 'en', 'pt-BR': 'pt-br', es: 'es' } as const satisfies Record<
  Language,
  string
>;

/** The guides in the order of the navigation, by group. */
export const guideGroups = {
  start: ['get-credentials', 'first-call', 'oauth', 'test-stores'],
  build: ['webhooks', 'lists', 'bulk', 'idempotency', 'assistants'],
  know: ['errors', 'rate-limits', 'values', 'privacy', 'versions', 'moving-here'],
} as const;

export type GuideGroup = keyof typeof guideGroups;

/** All guides, in the order in which previous and next lead through them. */
export const guideSlugs: readonly string[] = Object.values(guideGroups).flat();

/** The first page in a language; `/docs` chooses one of them. */
export const docsHomePath = (language: Language) => `/docs/${guideFolder[language]}`;

export const docsGuidePath = (language: Language, slug: string) =>
  `/docs${languagePrefix[language]}/guides/${slug}`;

/** Addresses of the reference, which is in English. */
export const referencePaths = {
  interactive: '/docs/reference',
  operations: '/docs/reference/operations',
  events: '/docs/reference/events',
  records: '/docs/reference/records',
} as const;

export const eventPath = (name: string) => `${referencePaths.events}/${slugOf(name)}`;

/** `OrderItem` is at `order-item`. */
export const recordPath = (name: string) =>
  `${referencePaths.records}/${slugOf(name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2'))}`;

export const tagPath = (tag: string) => `/docs/reference/${slugOf(tag)}`;
