/**
 * How a demo store shows what it sells; everything and everyone in it is invented. SKUs are named by their codes,
 * all else by name.
 */
export interface Display {
  banners: readonly DemoBanner[];
  /** Parents stand before their children. */
  categories: readonly DemoCategory[];
  collections: readonly DemoCollection[];
  bundles: readonly DemoBundle[];
  flags: readonly DemoFlag[];
  filters: readonly { name: string; values: readonly DemoFilterValue[] }[];
  customizations: readonly DemoCustomization[];
  feeds: readonly { name: string; service: string; path: string; collection?: string }[];
  comments: readonly DemoComment[];
}

export interface DemoBanner {
  name: string;
  /** Below the address of the shop. */
  image: string;
  product?: string;
  home?: boolean;
}

export interface DemoCategory {
  name: string;
  parent?: string;
  description?: string;
  featured?: boolean;
  products: readonly string[];
  banners?: readonly string[];
}

export interface DemoCollection {
  name: string;
  description: string;
  /** Days from the making of the demo; below zero are past ones. */
  startsIn: number;
  endsIn: number;
  products: readonly string[];
  banners?: readonly string[];
}

export interface DemoBundle {
  name: string;
  image: string;
  items: readonly { sku: string; quantity: number; discount?: number }[];
}

export interface DemoFlag {
  name: string;
  text_color: string;
  background_color: string;
  /** Categories whose products carry it. */
  categories: readonly string[];
  /** Products that do not. */
  except?: readonly string[];
}

export interface DemoFilterValue {
  name: string;
  color?: string;
}

export interface DemoCustomization {
  name: string;
  description: string;
  type: 'text' | 'textarea' | 'select';
  price: number;
  maxChars: number;
  values?: readonly string[];
  products: readonly string[];
}

export interface DemoComment {
  product: string;
  name: string;
  email: string;
  message: string;
  daysAgo: number;
  /** Without it the comment awaits approval. */
  approved?: boolean;
  answer?: { name: string; email: string; message: string };
}
