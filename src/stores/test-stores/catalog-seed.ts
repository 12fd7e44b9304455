/**
 * The brands and products of a demo store, all of them invented. Prices are in reais, weights in
 * kilograms.
 */
export interface CatalogSeed {
  brands: readonly { name: string; description: string; featured?: boolean }[];
  products: readonly ProductSeed[];
}

export interface ProductSeed {
  brand: string;
  name: string;
  description: string;
  ncm?: string;
  active?: boolean;
  /** Paths are relative to the store's `base_url`. */
  images?: readonly { path: string; alt: string }[];
  /** Name of the variation, such as the size. Without it the product is simple. */
  variationName?: string;
  skus: readonly SkuSeed[];
}

interface SkuSeed {
  sku: string;
  /** Value of the variation. */
  variationValue?: string;
  barcode?: string;
  cost: number;
  price: number;
  discountPrice?: number;
  weight: number;
  quantity: number;
}
