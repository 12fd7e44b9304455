import type { Messages } from '../en/messages.ts';
import { accountInPortuguese } from './account.ts';
import { activityInPortuguese } from './activity.ts';
import { apiKeysInPortuguese } from './api-keys.ts';
import { appWebhookInPortuguese } from './app-webhook.ts';
import { commonInPortuguese } from './common.ts';
import { deliveriesInPortuguese } from './deliveries.ts';
import { homeInPortuguese } from './home.ts';
import { membersInPortuguese } from './members.ts';
import { navigationInPortuguese } from './navigation.ts';
import { notificationsInPortuguese } from './notifications.ts';
import { operatorInPortuguese } from './operator.ts';
import { partnerToolsInPortuguese } from './partner-tools.ts';
import { partnersInPortuguese } from './partners.ts';
import { scopesInPortuguese } from './scopes.ts';
import { securityInPortuguese } from './security.ts';
import { storesInPortuguese } from './stores.ts';
import { transfersInPortuguese } from './transfers.ts';
import { webhookFormsInPortuguese } from './webhook-forms.ts';
import { webhooksInPortuguese } from './webhooks.ts';

/** The messages in Brazilian Portuguese. */
export const portugueseMessages: Messages = {
  skip: 'Ir para o conteúdo',
  language: 'Idioma',
  errorSummary: 'Algo não deu certo',
  signIn: {
    title: 'Entrar',
    waiting: '{app} quer se conectar à sua loja. Entre para ver o que o app pede.',
    email: 'E-mail',
    password: 'Senha',
    submit: 'Entrar',
    emailMissing: 'Digite seu e-mail.',
    passwordMissing: 'Digite sua senha.',
    wrong: 'E-mail ou senha incorretos.',
    wait: 'Muitas tentativas. Tente de novo em {time}.',
    busy: 'Muitas pessoas estão entrando neste momento. Tente de novo em {time}.',
    mails: 'E-mails demais. Tente de novo em {time}.',
    signedOut: 'Você saiu da sua conta.',
    signedOutEverywhere: 'Você saiu da sua conta em todos os dispositivos.',
  },
  session: {
    as: 'Você entrou como {name} ({email}).',
    signOut: 'Sair',
    signOutEverywhere: 'Sair de todos os dispositivos',
    everywhereHint:
      'Se você perdeu um dispositivo ou usou um que não é seu, saia da conta em todos.',
    other: 'Usar outra conta',
  },
  store: {
    title: 'Escolha uma loja',
    lead: '{app} quer se conectar a uma das suas lojas. Qual delas?',
    owner: 'Esta loja é sua',
    manager: 'Você administra esta loja',
    viewer: 'Você pode ver esta loja',
    none: 'Nenhuma loja para conectar',
    noneLead: 'Você não tem uma loja ativa que {app} possa usar. Nada mudou.',
    noneDraft: '{app} ainda é um rascunho, então só funciona nas lojas de quem o desenvolve.',
    foreign: 'Você não pode conectar esta loja',
    foreignLead:
      'Ela não existe, está fechada ou você não a administra. Nada foi decidido e nada mudou em nenhuma loja.',
    chooseAnother: 'Escolher outra loja',
  },
  consent: {
    title: 'Conectar um app',
    heading: 'Conectar {app}?',
    installs: 'Lojas conectadas',
    since: 'Cadastrado em',
    asks: '{app} quer usar sua loja {store}.',
    draft: 'Este app é um rascunho. Só as suas próprias lojas podem usá-lo.',
    may: 'O que ele pode fazer',
    careful: 'Atenção',
    carefulLead: 'Permita isto só se você confia em quem desenvolve o app.',
    also: 'Também: {areas}',
    always: 'Ver seu nome, seu e-mail e o nome desta loja.',
    returns: 'Nos dois casos, depois você volta para {host}.',
    returnsLocal:
      'Nos dois casos, depois você volta para um programa neste dispositivo ({host}). Continue só se foi você quem abriu esse programa.',
    disconnect: 'Você pode desconectar o app quando quiser em Apps conectados.',
    approve: 'Autorizar',
    deny: 'Recusar',
    agent: {
      title: 'Deixar um assistente usar sua loja?',
      asks: 'Um assistente pede para usar sua loja {store}. É um programa que decide sozinho o que fazer por você.',
      from: 'Ele vem de',
      verified: 'verificado',
      thisDevice: 'um programa neste dispositivo ({host})',
      name: 'Ele se chama',
      claimed: 'Ele diz que é de',
      notVerified: 'não verificado',
      careful:
        'Qualquer pessoa pode escolher o nome de um assistente. Continue só se foi você quem começou isto agora.',
      readOnly: 'Só ler',
      readOnlyMeaning: 'Ele vê as áreas abaixo e não altera nada.',
      change: 'Ler e alterar',
      changeMeaning: 'Ele também cria, altera e exclui nas áreas abaixo.',
      risk: 'Se puder alterar:',
      more: 'Mais sobre {areas}',
      areas: 'Áreas da sua loja',
      usual: 'Catálogo e vendas',
      sensitive: 'Dinheiro, clientes e configurações: marque só o que ele precisa',
      nothing: 'Marque pelo menos uma área, ou recuse.',
      tooMany:
        'Você já conectou este assistente a esta loja {count} vezes. Em Apps conectados, desconecte as suas conexões e comece de novo.',
      always: 'Em todo caso, ele vê seu nome, seu e-mail e o nome desta loja.',
      ends: 'Você pode encerrar isto quando quiser em Apps conectados. Termina sozinho depois de 90 dias sem uso.',
    },
  },
  invalidLink: {
    title: 'Este link não funciona',
    fault:
      'O app que trouxe você até aqui cometeu um erro. A culpa não é sua, e nada mudou na sua loja.',
    advice: 'Volte ao app e tente de novo. Se acontecer outra vez, avise quem o desenvolve.',
    back: 'Voltar ao app em {host}',
    forDevelopers: 'Para desenvolvedores: {reason}',
    urlTooLong: 'o endereço tem mais de 8.192 caracteres.',
    missing: '{parameter} não foi enviado.',
    repeated: '{parameter} veio duas vezes.',
    client: 'nenhum app disponível tem este client_id: {value}',
    redirectUri: 'o app não registrou este redirect_uri: {value}',
    document:
      'o documento de metadados em client_id não pode ser lido, ou não descreve este cliente.',
    confidential:
      'o cliente em client_id não é público: o documento dele precisa ter token_endpoint_auth_method none, ou none entre token_endpoint_auth_methods_supported. Ele tem: {value}',
    blocked: 'clientes deste host estão bloqueados aqui.',
  },
  decided: {
    title: 'Você já decidiu',
    lead: 'Você já enviou esta decisão, e vale a primeira. Volte ao app para ver o resultado.',
  },
  expired: {
    title: 'Esta página expirou',
    lead: 'Ela ficou aberta por tempo demais. Nada foi decidido e nada mudou na sua loja.',
    again: 'Começar de novo',
  },
  error: {
    home: 'Ir para a minha conta',
    start: 'Ir para a página inicial',
    badForm: 'Este formulário não pode ser usado',
    badFormLead:
      'Ele não chegou como nós o enviamos a você, então nada foi feito. Volte ao app ou à página de onde veio e comece de novo.',
    foreignForm: 'Este formulário não é seu',
    foreignFormLead:
      'Ele foi feito para outro navegador, veio de outro site, ou você entrou ou saiu da conta depois que ele abriu. Nada foi feito. Volte ao app ou à página de onde veio e comece de novo.',
    notFound: 'Esta página não existe',
    notFoundLead: 'Ela não existe ou não é sua. Nada mudou. Continue pela sua conta.',
    tooMany: 'Requisições demais',
    tooManyLead: 'Nada foi feito. Tente de novo em {time}.',
    unavailable: 'Não conseguimos responder agora',
    unavailableLead: 'A culpa é nossa. Tente de novo daqui a pouco.',
    failed: 'Algo deu errado',
    failedLead:
      'A culpa é nossa. Tente de novo; se acontecer outra vez, informe este número: {request}',
  },
  scopes: scopesInPortuguese,
  common: commonInPortuguese,
  home: homeInPortuguese,
  navigation: navigationInPortuguese,
  notifications: notificationsInPortuguese,
  account: accountInPortuguese,
  apiKeys: apiKeysInPortuguese,
  activity: activityInPortuguese,
  operator: operatorInPortuguese,
  members: membersInPortuguese,
  stores: storesInPortuguese,
  transfers: transfersInPortuguese,
  webhooks: webhooksInPortuguese,
  webhookForms: webhookFormsInPortuguese,
  deliveries: deliveriesInPortuguese,
  partners: partnersInPortuguese,
  partnerTools: partnerToolsInPortuguese,
  appWebhook: appWebhookInPortuguese,
  security: securityInPortuguese,
};
