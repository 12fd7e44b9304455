import type { CatalogSeed } from '../../stores/test-stores/catalog-seed.ts';
import type { DisplaySeed } from './display-data.ts';

export const outletCatalog: CatalogSeed = {
  brands: [
    { name: 'Pé na Areia', description: 'Sandálias e chinelos.' },
    { name: 'Sertão Couros', description: 'Cintos e bolsas de couro.' },
  ],
  products: [
    {
      brand: 'Pé na Areia',
      name: 'Chinelo Praia do Forte',
      description: 'Última coleção, com desconto.',
      ncm: '6402.20.00',
      variationName: 'Número',
      skus: [
        {
          sku: 'CHINELO-PF-36',
          variationValue: '36',
          cost: 12,
          price: 39.9,
          discountPrice: 24.9,
          weight: 0.3,
          quantity: 8,
        },
        {
          sku: 'CHINELO-PF-40',
          variationValue: '40',
          cost: 12,
          price: 39.9,
          discountPrice: 24.9,
          weight: 0.34,
          quantity: 15,
        },
      ],
    },
    {
      brand: 'Sertão Couros',
      name: 'Cinto Vaqueiro',
      description: 'Couro com fivela de latão.',
      ncm: '4203.30.00',
      skus: [
        { sku: 'CINTO-VQ', cost: 35, price: 99.9, discountPrice: 59.9, weight: 0.25, quantity: 11 },
      ],
    },
    {
      brand: 'Sertão Couros',
      name: 'Bolsa Carteiro Jequié',
      description: 'Peça de mostruário.',
      ncm: '4202.21.00',
      skus: [
        { sku: 'BOLSA-JQ', cost: 120, price: 349, discountPrice: 199, weight: 0.9, quantity: 2 },
      ],
    },
  ],
};

export const outletDisplay: DisplaySeed = {
  banners: [{ name: 'Últimos pares', imagePath: 'banners/ultimos-pares.jpg', home: true }],
  categories: [
    {
      name: 'Calçados',
      featured: true,
      products: ['Chinelo Praia do Forte'],
      banners: ['Últimos pares'],
    },
    { name: 'Acessórios de Couro', products: ['Cinto Vaqueiro', 'Bolsa Carteiro Jequié'] },
  ],
  collections: [
    {
      name: 'Queima de Estoque',
      description: 'Até acabar.',
      startsIn: -1,
      endsIn: 14,
      products: ['Chinelo Praia do Forte', 'Cinto Vaqueiro'],
    },
  ],
  bundles: [],
  filters: [],
  flags: [],
  customizations: [],
  feeds: [],
  comments: [
    {
      product: 'Cinto Vaqueiro',
      name: 'Antônio Simões',
      email: 'antonio@cliente.test',
      message: 'A fivela é de latão maciço?',
      daysAgo: 1,
      approved: true,
    },
  ],
};
