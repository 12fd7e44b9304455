import * as z from 'zod';
import { BannerRow } from './banner-row.ts';
import { Product } from './product.ts';

/** A banner as it is shown (contract 4.2); its product is there when it was asked for. */
export const Banner = z
  .object({ ...BannerRow.shape, product: z.object({ data: Product.nullable() }).optional() })
  .meta({ id: 'Banner' });
