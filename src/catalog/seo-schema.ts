import * as z from 'zod';
import { explain } from '../base/codecs/meaning.ts';

/** Response fields for search engines. */
export const seoFields = {
  seo_title: z.string().nullable(),
  seo_keywords: z.string().nullable(),
  seo_description: z.string().nullable(),
};

/** The meanings of {@link seoFields}. */
export const seoMeanings = {
  seo_title: 'Title of the page for search engines; null lets the shop use the name.',
  seo_keywords: 'Search words of the page, as one line.',
  seo_description: 'Summary of the page that search engines show.',
};

/** The same fields as a relation of a category. */
export const SeoSchema = z.object(seoFields).meta({ id: 'CategorySeo' });

/* @__PURE__ */ explain(SeoSchema, 'What search engines show of a category.', seoMeanings);
