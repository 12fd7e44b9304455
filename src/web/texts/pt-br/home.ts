import type { Messages } from '../en/messages.ts';

/** The start page in Brazilian Portuguese. */
export const homeInPortuguese: Messages['home'] = {
  title: 'O que você quer fazer?',
  lead: 'Lojas, os apps que trabalham para elas e tudo para criar o seu.',
  merchants: 'Cuidar da sua loja',
  merchantsLead: 'Veja suas lojas, os apps conectados, os webhooks e as chaves de API.',
  signIn: 'Entrar',
  openStore: 'Abrir uma loja',
  partners: 'Criar um app',
  partnersLead: 'Cadastre um app, experimente em uma loja de teste e veja onde ele é usado.',
  openPanel: 'Ir para seus apps',
  signUp: 'Criar uma conta',
  documentation: 'Ler a documentação',
  documentationLead: 'Guias, todas as operações com exemplos e os eventos que os webhooks enviam.',
  readGuides: 'Guias',
  readReference: 'Todas as operações',
};
