/** What a demo store sells; everything in it is invented. Prices are in reais, weights in kilograms. */
export interface Catalogue {
  brands: readonly { name: string; description: string; featured?: boolean }[];
  products: readonly DemoProduct[];
}

export interface DemoProduct {
  brand: string;
  name: string;
  description: string;
  ncm?: string;
  active?: boolean;
  /** Its images: paths in the shop, and what they show. */
  images?: readonly { path: string; alt: string }[];
  /** The name of what the SKUs differ in. Without it the product is simple. */
  differIn?: string;
  skus: readonly DemoSku[];
}

export interface DemoSku {
  sku: string;
  /** The value of what the SKUs differ in. */
  value?: string;
  barcode?: string;
  cost: number;
  price: number;
  /** The price while it is reduced. */
  reduced?: number;
  weight: number;
  quantity: number;
}
