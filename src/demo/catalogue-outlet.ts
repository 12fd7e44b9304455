import type { Catalogue } from './catalogue.ts';

export const outletCatalogue: Catalogue = {
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
      differIn: 'Número',
      skus: [
        {
          sku: 'CHINELO-PF-36',
          value: '36',
          cost: 12,
          price: 39.9,
          reduced: 24.9,
          weight: 0.3,
          quantity: 8,
        },
        {
          sku: 'CHINELO-PF-40',
          value: '40',
          cost: 12,
          price: 39.9,
          reduced: 24.9,
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
      skus: [{ sku: 'CINTO-VQ', cost: 35, price: 99.9, reduced: 59.9, weight: 0.25, quantity: 11 }],
    },
    {
      brand: 'Sertão Couros',
      name: 'Bolsa Carteiro Jequié',
      description: 'Peça de mostruário.',
      ncm: '4202.21.00',
      skus: [{ sku: 'BOLSA-JQ', cost: 120, price: 349, reduced: 199, weight: 0.9, quantity: 2 }],
    },
  ],
};
