import type { Messages } from '../en/messages.ts';

/** The page of the mails that a user gets, in Portuguese. */
export const notificationsInPortuguese: Messages['notifications'] = {
  title: 'Seus e-mails',
  lead: 'Escrevemos para {email}. Você sempre recebe e-mails sobre a segurança da sua conta e sobre o fechamento das suas lojas.',
  saved: 'Sua escolha foi salva.',
  notConfigured:
    'No momento, este serviço não consegue enviar e-mails. A sua escolha vale assim que ele conseguir.',
  noSender:
    'No momento, este serviço não consegue enviar e-mails. Avise quem o administra: nada chega antes que um remetente seja configurado.',
  all: 'Todo o resto',
  allows: 'Receber também os outros',
  allowsHint: 'Sem isso, você não recebe nenhum dos e-mails abaixo.',
  which: 'Quais',
  kinds: {
    app_disconnected: 'Um app foi desconectado de uma loja',
    member_removed: 'Alguém não trabalha mais em uma loja',
    webhook_failing: 'Um webhook está falhando há um dia ou mais',
    webhook_switched_off: 'Um webhook foi desligado',
    app_webhook_switched_off: 'O webhook de um app foi desligado',
    event_budget: 'A loja usou grande parte do orçamento diário de eventos',
    export_ready: 'Uma exportação está pronta para baixar',
    store_reactivated: 'Uma loja está ativa de novo',
  },
  submit: 'Salvar',
  unsubscribe: {
    title: 'Não receber mais estes e-mails?',
    lead: 'Você não receberá mais e-mails deste tipo:',
    submit: 'Não receber mais',
    done: 'Você não recebe mais estes e-mails',
    doneLead: 'Todos os outros continuam como estão. Estes não chegam mais:',
    dead: 'Ele expirou ou está incompleto. Nada mudou. Entre na sua conta para escolher seus e-mails.',
  },
};
