/**
 * How a demo store presents its products; all of it is invented. SKUs are referred to by code, all
 * else by name.
 */
export interface DisplaySeed {
  banners: readonly BannerSeed[];
  /** Parents precede their children. */
  categories: readonly CategorySeed[];
  collections: readonly CollectionSeed[];
  bundles: readonly BundleSeed[];
  flags: readonly FlagSeed[];
  filters: readonly { name: string; values: readonly FilterValueSeed[] }[];
  customizations: readonly CustomizationSeed[];
  feeds: readonly { name: string; service: string; path: string; collection?: string }[];
  comments: readonly CommentSeed[];
}

interface BannerSeed {
  name: string;
  /** Relative to the store's `base_url`. */
  imagePath: string;
  product?: string;
  home?: boolean;
}

interface CategorySeed {
  name: string;
  parent?: string;
  description?: string;
  featured?: boolean;
  products: readonly string[];
  banners?: readonly string[];
}

interface CollectionSeed {
  name: string;
  description: string;
  /** Days from the creation of the demo; negative ones are in the past. */
  startsIn: number;
  endsIn: number;
  products: readonly string[];
  banners?: readonly string[];
}

interface BundleSeed {
  name: string;
  imagePath: string;
  items: readonly { sku: string; quantity: number; discount?: number }[];
}

interface FlagSeed {
  name: string;
  text_color: string;
  background_color: string;
  /** Categories whose products have the flag. */
  categories: readonly string[];
  /** Products of these categories without the flag. */
  excludedProducts?: readonly string[];
}

interface FilterValueSeed {
  name: string;
  color?: string;
}

interface CustomizationSeed {
  name: string;
  description: string;
  type: 'text' | 'textarea' | 'select';
  price: number;
  maxChars: number;
  values?: readonly string[];
  products: readonly string[];
}

export interface CommentSeed {
  product: string;
  name: string;
  email: string;
  message: string;
  daysAgo: number;
  /** `false` when absent. */
  approved?: boolean;
  answer?: { name: string; email: string; message: string };
}
