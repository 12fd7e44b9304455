import type { Messages } from '../en/messages.ts';

/** The partner pages in Brazilian Portuguese. */
export const partnersInPortuguese: Messages['partners'] = {
  list: {
    title: 'Apps para parceiros',
    caption: 'Seus apps',
    none: 'Você não tem nenhum app. Cadastre um para receber um client id.',
    register: 'Cadastrar um app',
    name: 'Nome',
    clientId: 'Client ID',
    state: 'Estado',
    installs: 'Instalações',
  },
  states: { draft: 'Rascunho', published: 'Publicado', disabled: 'Desativado' },
  stateHints: {
    draft: 'Só as suas próprias lojas podem conectá-lo.',
    published: 'Qualquer lojista pode conectá-lo.',
    disabled: 'Ninguém pode conectá-lo, e os tokens dele são recusados.',
  },
  form: {
    register: 'Cadastrar um app',
    edit: 'Alterar {app}',
    name: 'Nome do app',
    nameHint: 'Os lojistas o leem quando o app pede permissão. Até 80 caracteres.',
    nameMissing: 'Digite o nome do app.',
    nameLong: 'O nome tem mais de 80 caracteres.',
    publisher: 'Responsável',
    publisherHint: 'Quem faz o app: sua empresa ou você. Até 80 caracteres.',
    publisherMissing: 'Digite o responsável.',
    publisherLong: 'O responsável tem mais de 80 caracteres.',
    uris: 'URIs de redirecionamento',
    urisHint:
      'Uma por linha, no máximo 10. Cada uma começa com https://, ou com http:// para um endereço de loopback (127.0.0.1, [::1] ou localhost), e não tem curinga, fragmento nem nome de usuário. Ela deve ser enviada exatamente como está aqui. Só a porta de 127.0.0.1 e [::1] pode variar.',
    urisMissing: 'Digite pelo menos uma URI de redirecionamento.',
    urisMany: 'Há mais de 10 URIs de redirecionamento.',
    line: 'Linha {line}: {problem}',
    scopes: 'Permissões',
    scopesHint:
      'O máximo que o app pode pedir a um lojista. Quem já o conectou continua com o que permitiu.',
    presets: { read: 'Só ler: tudo', all: 'Tudo' },
    careful: 'Exige cuidado',
    tooMany: 'Você tem 50 apps, o máximo.',
    save: 'Salvar',
  },
  uris: {
    notUrl: 'não é um endereço completo.',
    tooLong: 'tem mais de 2.048 caracteres.',
    characters: 'contém um espaço ou um caractere de controle.',
    scheme: 'deve começar com https://, ou com http:// para um endereço de loopback.',
    wildcard: 'contém um curinga (*).',
    fragment: 'contém um fragmento (#).',
    userInfo: 'contém um nome de usuário ou uma senha.',
    host: 'tem um host com caracteres que não são letras, dígitos, pontos ou hifens.',
    privateAddress: 'é um endereço privado.',
    repeated: 'aparece duas vezes.',
  },
  app: {
    flash: {
      registered: 'O app foi cadastrado. Ele é um rascunho até você publicá-lo.',
      saved: 'Suas alterações foram salvas.',
      published: 'O app foi publicado.',
      withdrawn: 'O app voltou a ser um rascunho.',
      disabled: 'O app foi desativado.',
    },
    registered: 'Cadastrado em',
    edit: 'Alterar',
    publish: 'Publicar',
    withdraw: 'Passar para rascunho',
    disable: 'Desativar',
    events: 'Eventos de segurança',
    eventsCaption: 'Os 50 eventos mais recentes',
    noEvents:
      'Nada aconteceu ainda. Aqui aparecem os eventos que encerram uma conexão ou indicam um roubo.',
    event: 'Evento',
    merchant: 'Loja',
    at: 'Quando',
  },
  kinds: {
    code_replayed: 'Um código de autorização foi usado pela segunda vez. A conexão foi encerrada.',
    refresh_token_reused:
      'Um refresh token já usado foi enviado de novo e pode ter sido roubado. A conexão foi encerrada.',
    revoked_by_app: 'O app revogou a conexão.',
    disconnected_by_merchant: 'O lojista desconectou o app.',
    app_withdrawn: 'O app foi desativado ou passou para rascunho. A conexão foi encerrada.',
    member_removed: 'O membro que havia autorizado o app não administra mais a loja.',
    consent_ended: 'O consentimento do membro que havia autorizado o app terminou.',
    too_many_grants: 'Uma conexão mais nova com a mesma loja substituiu esta.',
    grant_fast_forwarded:
      'Restauramos um estado anterior, e a conexão foi atualizada com o seu token mais recente.',
    refresh_recovered: 'Uma nova tentativa tardia recebeu de novo a resposta de uma renovação.',
    other: 'Aconteceu outra coisa.',
  },
  confirm: {
    publish: 'Publicar {app}?',
    publishLead: 'A partir daí, qualquer lojista pode conectá-lo.',
    withdraw: 'Passar {app} para rascunho?',
    withdrawLead:
      'Todas as conexões dele terminam na hora: os tokens são recusados e os webhooks pausados, também nas suas próprias lojas. Depois disso, só as suas próprias lojas podem conectá-lo.',
    reactivateLead: 'Ele volta a funcionar, mas só nas suas próprias lojas até você publicá-lo.',
    disable: 'Desativar {app}?',
    disableLead:
      'Todas as conexões dele terminam na hora: os tokens são recusados e os webhooks pausados em todas as lojas. Ninguém mais pode conectá-lo.',
    disableLater:
      'Você pode passá-lo para rascunho mais tarde, mas os lojistas terão de conectá-lo de novo.',
    installs: 'Lojas conectadas agora: {count}.',
  },
};
