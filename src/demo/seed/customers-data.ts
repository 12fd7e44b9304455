import type { CustomerSeed } from '../../stores/test-stores/fill-customers.ts';

export const demoCustomers: readonly CustomerSeed[] = [
  {
    email: 'helena@cliente.test',
    first_name: 'Helena',
    last_name: 'Brandão',
    type: 'f',
    cpf: '123.456.789-09',
    phone: '+55 11 90000-0001',
    daysAgo: 40,
    addresses: [
      {
        receiver: 'Helena Brandão',
        zipcode: '01310-100',
        street: 'Avenida Paulista',
        number: '9001',
        complement: 'ap. 52',
        neighborhood: 'Bela Vista',
        city: 'São Paulo',
        state: 'SP',
      },
      {
        receiver: 'Portaria, para Helena',
        zipcode: '20040-002',
        street: 'Avenida Rio Branco',
        number: '9002',
        neighborhood: 'Centro',
        city: 'Rio de Janeiro',
        state: 'RJ',
      },
    ],
  },
  {
    email: 'tomas@cliente.test',
    first_name: 'Tomás',
    last_name: 'Figueiredo',
    type: 'f',
    cpf: '987.654.321-00',
    phone: null,
    daysAgo: 12,
    addresses: [
      {
        receiver: 'Tomás Figueiredo',
        zipcode: '40020-000',
        street: 'Rua Chile',
        number: 's/n',
        neighborhood: 'Centro',
        city: 'Salvador',
        state: 'BA',
      },
    ],
  },
  {
    email: 'compras@padaria.test',
    first_name: 'Padaria Sol Nascente Ltda.',
    last_name: null,
    type: 'j',
    cnpj: '12.ABC.345/01DE-35',
    phone: '+55 31 3000-0002',
    daysAgo: 3,
    addresses: [],
  },
];

export const outletCustomers: readonly CustomerSeed[] = [
  {
    email: 'antonio@cliente.test',
    first_name: 'Antônio',
    last_name: 'Simões',
    type: 'f',
    cpf: '111.444.777-35',
    phone: '+55 81 90000-0003',
    daysAgo: 2,
    addresses: [],
  },
];
