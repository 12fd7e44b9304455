import type { Link } from '../data/queries/links.ts';
import { banners } from '../data/schema/store/banners-tables.ts';
import { products } from '../data/schema/store/catalog-tables.ts';
import {
  categories,
  categoryBanners,
  categoryFilterValues,
  categoryProducts,
  filterValues,
} from '../data/schema/store/categories-tables.ts';
import {
  collectionBanners,
  collectionProducts,
  collections,
} from '../data/schema/store/collections-tables.ts';

export const productsOfCategory = {
  table: categoryProducts,
  owner: categories,
  ownerId: categoryProducts.category_id,
  linked: products,
  linkedId: categoryProducts.product_id,
} satisfies Link;

export const categoriesOfProduct = {
  table: categoryProducts,
  owner: products,
  ownerId: categoryProducts.product_id,
  linked: categories,
  linkedId: categoryProducts.category_id,
} satisfies Link;

export const collectionsOfProduct = {
  table: collectionProducts,
  owner: products,
  ownerId: collectionProducts.product_id,
  linked: collections,
  linkedId: collectionProducts.collection_id,
} satisfies Link;

export const bannersOfCategory = {
  table: categoryBanners,
  owner: categories,
  ownerId: categoryBanners.category_id,
  linked: banners,
  linkedId: categoryBanners.banner_id,
} satisfies Link;

export const filterValuesOfCategory = {
  table: categoryFilterValues,
  owner: categories,
  ownerId: categoryFilterValues.category_id,
  linked: filterValues,
  linkedId: categoryFilterValues.filter_value_id,
} satisfies Link;

export const productsOfCollection = {
  table: collectionProducts,
  owner: collections,
  ownerId: collectionProducts.collection_id,
  linked: products,
  linkedId: collectionProducts.product_id,
} satisfies Link;

export const bannersOfCollection = {
  table: collectionBanners,
  owner: collections,
  ownerId: collectionBanners.collection_id,
  linked: banners,
  linkedId: collectionBanners.banner_id,
} satisfies Link;
