import type { Messages } from '../en/messages.ts';

/** The start page in Brazilian Portuguese. */
export const homeInPortuguese: Messages['home'] = {
  title: 'Seus produtos, pedidos e apps em um só lugar',
  lead: 'Importe uma planilha, conecte um app ou crie o seu: cada venda atualiza o estoque, e quem precisa saber é avisado.',
  picture: 'A página de uma loja, com o faturamento e os últimos pedidos',
  openStore: 'Abrir uma loja',
  partners: 'Criar um app',
  partnersLead: 'Cadastre um app, experimente em uma loja de teste e veja onde ele é usado.',
  signUp: 'Criar uma conta',
  documentation: 'Ler a documentação',
  documentationLead: 'Guias, todas as operações com exemplos e os eventos que os webhooks enviam.',
  readGuides: 'Documentação',
  readReference: 'Todas as operações',
};
