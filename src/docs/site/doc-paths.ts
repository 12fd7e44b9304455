import type { Language } from '../../base/languages.ts';
import { docsPaths } from '../../base/page-paths.ts';
import { slugOf } from '../build/escape.ts';

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

export const eventPath = (name: string) => `${docsPaths.events}/${slugOf(name)}`;

/** `OrderItem` is at `order-item`. */
export const recordPath = (name: string) =>
  `${docsPaths.records}/${slugOf(name.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2'))}`;

export const tagPath = (tag: string) => `${docsPaths.interactive}/${slugOf(tag)}`;
