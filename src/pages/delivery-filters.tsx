import type { Language } from './words/languages.ts';
import { wordsOf } from './words/words-of.ts';

/** The states that a log can be asked for by itself: what did not arrive. */
export const deliveryFilters = ['gaveUp', 'held'] as const;

export type DeliveryFilter = (typeof deliveryFilters)[number];

/** Links to parts of the log. */
export const DeliveryFilters = ({
  current,
  hrefOf,
  language,
}: {
  current: DeliveryFilter | undefined;
  hrefOf: (filter: DeliveryFilter | undefined) => string;
  language: Language;
}) => {
  const { filter: label, filters } = wordsOf(language).deliveries;
  return (
    <nav class="filters" aria-label={label}>
      {[undefined, ...deliveryFilters].map((filter) => (
        <a href={hrefOf(filter)} aria-current={filter === current ? 'page' : undefined}>
          {filters[filter ?? 'all']}
        </a>
      ))}
    </nav>
  );
};
