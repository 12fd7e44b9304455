/** A person who never was; the CPF fits its check digits. */
export const person = {
  email: 'Maria.Teste@cliente.test',
  first_name: 'Maria',
  last_name: 'Teste da Silva',
  type: 'f',
  cpf: '529.982.247-25',
  phone: '+55 (11) 91234-5678',
} as const;

/** A place that never was. */
export const place = {
  receiver: 'Maria Teste',
  zipcode: '01310-100',
  street: 'Rua dos Testes',
  number: '100',
  complement: 'ap. 1',
  neighborhood: 'Centro',
  city: 'São Paulo',
  state: 'sp',
} as const;
