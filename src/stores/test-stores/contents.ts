import type { CatalogSeed } from './catalog-seed.ts';
import type { CustomerSeed } from './fill-customers.ts';

const simple = (
  brand: string,
  name: string,
  description: string,
  sku: { sku: string; cost: number; price: number; weight: number; quantity: number },
) => ({ brand, name, description, skus: [sku] });

/**
 * Products of a new test store. All of it is invented; prices are in reais. One product is out of
 * stock.
 */
export const testCatalog: CatalogSeed = {
  brands: [
    { name: 'Serra Azul', description: 'Roupas de algodão.', featured: true },
    { name: 'Casa Ipê', description: 'Coisas para a casa.' },
  ],
  products: [
    {
      brand: 'Serra Azul',
      name: 'Camiseta Básica',
      description: 'Algodão orgânico, gola redonda.',
      variationName: 'Tamanho',
      skus: (['P', 'M', 'G'] as const).map((size) => ({
        sku: `CAMISETA-${size}`,
        variationValue: size,
        cost: 18,
        price: 59.9,
        weight: 0.2,
        quantity: 25,
      })),
    },
    {
      brand: 'Serra Azul',
      name: 'Moletom com Capuz',
      description: 'Forro macio, bolso canguru.',
      variationName: 'Tamanho',
      skus: (['M', 'G'] as const).map((size) => ({
        sku: `MOLETOM-${size}`,
        variationValue: size,
        cost: 62,
        price: 189.9,
        discountPrice: 159.9,
        weight: 0.6,
        quantity: 8,
      })),
    },
    simple('Serra Azul', 'Boné de Lona', 'Aba curva, ajuste de metal.', {
      sku: 'BONE',
      cost: 15,
      price: 49.9,
      weight: 0.15,
      quantity: 40,
    }),
    simple('Serra Azul', 'Meia Cano Longo', 'Par, do 38 ao 42.', {
      sku: 'MEIA',
      cost: 6,
      price: 24.9,
      weight: 0.08,
      quantity: 0,
    }),
    simple('Casa Ipê', 'Caneca de Cerâmica', '300 ml, vai ao micro-ondas.', {
      sku: 'CANECA',
      cost: 12,
      price: 39.9,
      weight: 0.4,
      quantity: 60,
    }),
    simple('Casa Ipê', 'Vela de Capim-limão', 'Queima por 30 horas.', {
      sku: 'VELA',
      cost: 14,
      price: 44.9,
      weight: 0.3,
      quantity: 30,
    }),
    simple('Casa Ipê', 'Tábua de Corte', 'Madeira de reflorestamento.', {
      sku: 'TABUA',
      cost: 28,
      price: 89,
      weight: 1.2,
      quantity: 12,
    }),
    simple('Casa Ipê', 'Luminária de Mesa', 'Lâmpada inclusa, bivolt.', {
      sku: 'LUMINARIA',
      cost: 75,
      price: 219,
      weight: 1.8,
      quantity: 5,
    }),
  ],
};

/** Customers of a new test store. CPF and CNPJ are invented, with valid check digits. */
export const testCustomers: readonly CustomerSeed[] = [
  {
    email: 'lucia@cliente.test',
    first_name: 'Lúcia',
    last_name: 'Moreira',
    type: 'f',
    cpf: '123.456.789-09',
    phone: '+55 11 90000-0101',
    daysAgo: 30,
    addresses: [
      {
        receiver: 'Lúcia Moreira',
        zipcode: '01310-100',
        street: 'Avenida Paulista',
        number: '9101',
        neighborhood: 'Bela Vista',
        city: 'São Paulo',
        state: 'SP',
      },
    ],
  },
  {
    email: 'davi@cliente.test',
    first_name: 'Davi',
    last_name: 'Nogueira',
    type: 'f',
    cpf: '987.654.321-00',
    phone: null,
    daysAgo: 12,
    addresses: [],
  },
  {
    email: 'compras@padaria.test',
    first_name: 'Padaria Central',
    last_name: null,
    type: 'j',
    cnpj: '11.222.333/0001-81',
    phone: '+55 21 90000-0102',
    daysAgo: 3,
    addresses: [
      {
        receiver: 'Padaria Central',
        zipcode: '20040-002',
        street: 'Avenida Rio Branco',
        number: '9102',
        neighborhood: 'Centro',
        city: 'Rio de Janeiro',
        state: 'RJ',
      },
    ],
  },
];
