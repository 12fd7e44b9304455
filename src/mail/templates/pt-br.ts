import type { MailTexts } from './mail-texts.ts';

export const portugueseMails: MailTexts = {
  greeting: 'Olá, {name},',
  greetingWithoutName: 'Olá,',
  openAddress: 'Se o botão não funcionar, abra este endereço:',
  reasons: {
    address:
      'Você recebeu este e-mail porque alguém informou este endereço em {service}. Se não sabe do que se trata, ignore-o: nada acontece.',
    account:
      'Você recebeu este e-mail porque ele trata da segurança da sua conta em {service}. E-mails assim não podem ser desativados.',
    store: 'Você recebeu este e-mail porque faz parte desta loja em {service}.',
    partner: 'Você recebe este e-mail porque desenvolve apps para {service}.',
    operators: 'Você recebe este e-mail porque é operador de {service}.',
  },
  unsubscribe: 'Não receber mais e-mails deste tipo',
  preferences: 'Escolher quais e-mails receber',
  support: 'Dúvidas? Escreva para {address}.',
  roles: { owner: 'dono', manager: 'gerente', viewer: 'leitor' },
  mails: {
    invitation_user: {
      subject: 'Você recebeu um convite de {service}',
      body: [
        '{inviter} criou uma conta para você. Escolha uma senha para começar.',
        'O link funciona uma única vez, por 7 dias.',
      ],
      button: 'Aceitar o convite',
    },
    invitation_store: {
      subject: 'Convite para uma loja em {service}',
      body: [
        '{inviter} convidou você para trabalhar na loja {store}. Seu papel: {role}.',
        'O link funciona uma única vez, por 7 dias.',
      ],
      button: 'Aceitar o convite',
    },
    invitation_partner: {
      subject: 'Convite para uma equipe em {service}',
      body: [
        '{inviter} convidou você para cuidar dos apps em conjunto.',
        'O link funciona uma única vez, por 7 dias.',
      ],
      button: 'Aceitar o convite',
    },
    sign_up: {
      subject: 'Confirme seu endereço',
      body: [
        'Confirme que este endereço é seu e sua conta estará pronta.',
        'O link funciona uma única vez, por 24 horas. Se você não se cadastrou, ignore este e-mail: nenhuma conta será criada.',
      ],
      button: 'Confirmar e continuar',
    },
    sign_up_known: {
      subject: 'Você já tem uma conta',
      body: [
        'Alguém tentou se cadastrar com este endereço, mas ele já tem uma conta. Nada mudou.',
        'Se foi você, entre normalmente. Se esqueceu a senha, escolha uma nova.',
      ],
      button: 'Escolher uma nova senha',
    },
    password_reset: {
      subject: 'Escolha uma nova senha',
      body: [
        'Agora você pode escolher uma nova senha. Isso encerra todas as suas sessões.',
        'O link funciona uma única vez, por 30 minutos. Se você não pediu, ignore este e-mail: sua senha continua a mesma.',
      ],
      button: 'Escolher uma nova senha',
    },
    password_changed: {
      subject: 'Sua senha foi alterada',
      body: [
        'A senha da sua conta foi alterada.',
        'Se não foi você, escolha uma nova imediatamente. Isso encerra todas as sessões.',
      ],
      button: 'Não fui eu',
    },
    email_change_requested: {
      subject: 'Seu endereço está prestes a mudar',
      body: [
        'Alguém que entrou na sua conta quer mudar o endereço dela para {newEmail}. A mudança acontece quando esse endereço for confirmado.',
        'Se não foi você, altere sua senha imediatamente e encerre todas as sessões.',
      ],
      button: 'Ver minha conta',
    },
    email_confirmation: {
      subject: 'Confirme seu novo endereço',
      body: [
        'Confirme que este endereço é seu. A partir daí, é com ele que você entra.',
        'O link funciona uma única vez, por 24 horas.',
      ],
      button: 'Confirmar o endereço',
    },
    email_changed: {
      subject: 'Seu endereço foi alterado',
      body: [
        'O endereço da sua conta agora é {newEmail}.',
        'Se não foi você, desfaça a mudança em até 7 dias. Isso encerra todas as sessões.',
      ],
      button: 'Desfazer a mudança',
    },
    email_change_undone: {
      subject: 'Seu endereço voltou',
      body: [
        'A alteração do seu endereço foi desfeita, e os e-mails sobre a sua conta voltam a chegar aqui. Os desse intervalo foram para o outro endereço.',
        'O que foi feito na sua conta nesse tempo foi encerrado ou desfeito onde é possível. Abaixo está o que encontramos. Confira o que permanece. Uma lista vazia quer dizer que nada foi feito.',
      ],
      button: 'Ver a minha conta',
    },
    doors_shut: {
      subject: 'Todas as portas da sua conta foram fechadas',
      body: [
        'Um dispositivo com a sua conta aberta fechou todas as portas: a conta saiu dos outros dispositivos, e chaves de API, conexões de apps, convites e links abertos foram encerrados. Webhooks podem estar pausados.',
        'Se foi você, escolha agora uma nova senha e depois crie as chaves de API de que precisa. Se não foi você, escolha uma nova senha imediatamente.',
      ],
      button: 'Ver a minha conta',
    },
    new_sign_in: {
      subject: 'Novo acesso: {country}',
      body: [
        'Alguém entrou na sua conta a partir de um país novo: {country}. Dispositivo: {device}.',
        'Se foi você, está tudo certo. Se não, encerre essa sessão e altere sua senha.',
      ],
      button: 'Ver minhas sessões',
    },
    new_sign_in_somewhere: {
      subject: 'Novo acesso à sua conta',
      body: [
        'Alguém entrou na sua conta a partir de um lugar novo. Dispositivo: {device}.',
        'Se foi você, está tudo certo. Se não, encerre essa sessão e altere sua senha.',
      ],
      button: 'Ver minhas sessões',
    },
    api_key_created: {
      subject: 'Nova chave de API',
      body: [
        'A chave de API {name}, que termina em {lastFour}, foi criada na sua conta.',
        'Se não foi você, revogue a chave e altere sua senha.',
      ],
      button: 'Ver minhas chaves de API',
    },
    api_key_revoked: {
      subject: 'Uma chave de API foi revogada',
      body: [
        'Um operador de {service} revogou a chave de API {name}, que termina em {lastFour}. O que a usa deixou de funcionar. Motivo: {reason}',
        'Crie uma chave nova e coloque-a no lugar da antiga. Se você acha que isto está errado, escreva para {contact}.',
      ],
      button: 'Ver minhas chaves de API',
    },
    recovery_code_used: {
      subject: 'Um código de recuperação foi usado',
      body: [
        'Um dos seus códigos de recuperação foi usado no lugar do app autenticador. Códigos restantes: {count}.',
        'Se não foi você, troque sua senha agora: isso encerra todas as sessões. Depois crie códigos novos.',
      ],
      button: 'Segurança da minha conta',
    },
    user_deactivated: {
      subject: 'Sua conta está bloqueada',
      body: [
        'Bloqueamos sua conta em {service}. Você não consegue entrar, suas chaves de API não funcionam, e os apps que você conectou perderam o acesso. Suas lojas ficam como estão. Motivo: {reason}',
        'Se você acha que isto está errado, escreva para {contact}, a partir deste endereço.',
      ],
    },
    second_factor_on: {
      subject: 'A verificação em duas etapas está ativada',
      body: [
        'Sua conta agora pede um código do seu aplicativo autenticador a cada acesso.',
        'Se não foi você, escolha uma nova senha imediatamente.',
      ],
      button: 'Segurança da minha conta',
    },
    second_factor_off: {
      subject: 'A verificação em duas etapas está desativada',
      body: [
        'Sua conta não pede mais um código para entrar. A senha sozinha basta.',
        'Se não foi você, ative-a de novo e altere sua senha.',
      ],
      button: 'Segurança da minha conta',
    },
    second_factor_codes: {
      subject: 'Novos códigos de recuperação',
      body: [
        'Novos códigos de recuperação foram criados para sua conta. Os antigos não funcionam mais.',
        'Se não foi você, crie outros e altere sua senha.',
      ],
      button: 'Segurança da minha conta',
    },
    second_factor_removed: {
      subject: 'A sua verificação em duas etapas foi removida',
      body: [
        'Um operador de {service} removeu a verificação em duas etapas da sua conta, como avisado há um dia. A sua senha sozinha basta para entrar, e todos os dispositivos saíram da conta.',
        'Entre e configure-a de novo. Se você não pediu isto, escolha antes uma senha nova.',
      ],
      button: 'Segurança da minha conta',
    },
    passkey_added: {
      subject: 'Uma chave de acesso foi adicionada',
      body: [
        'Uma chave de acesso foi adicionada à sua conta: {name}. Com ela se entra na sua conta.',
        'Se não foi você, remova a chave na página de segurança e altere sua senha.',
      ],
      button: 'Segurança da minha conta',
    },
    passkey_removed: {
      subject: 'Uma chave de acesso foi removida',
      body: [
        'Uma chave de acesso foi removida da sua conta: {name}. Todos os outros dispositivos saíram da conta.',
        'Se não foi você, altere sua senha.',
      ],
      button: 'Segurança da minha conta',
    },
    passkey_blocked: {
      subject: 'Uma chave de acesso está bloqueada',
      body: [
        'Uma chave de acesso da sua conta está bloqueada: {name}. O dispositivo dela respondeu como uma cópia faria.',
        'Remova a chave na página de segurança e crie uma nova em um dispositivo que só você usa.',
      ],
      button: 'Segurança da minha conta',
    },
    device_remembered: {
      subject: 'Um dispositivo será lembrado',
      body: [
        'Por 30 dias, um dispositivo entra na sua conta só com a senha: {device}. Nele foi digitado um código certo.',
        'Se não foi você, esqueça o dispositivo na página de segurança e altere sua senha.',
      ],
      button: 'Segurança da minha conta',
    },
    codes_guessed: {
      subject: 'Códigos errados na sua conta',
      body: [
        'Alguém digitou {count} códigos errados na sua conta em uma hora, e tinha a sua senha. Outros códigos terão de esperar.',
        'Se não foi você, altere sua senha e saia de todos os lugares.',
      ],
      button: 'Segurança da minha conta',
    },
    second_factor_removal: {
      subject: 'A sua verificação em duas etapas será removida amanhã',
      body: [
        'Um operador de {service} remove a verificação em duas etapas da sua conta em 24 horas. Motivo: {reason}.',
        'Se você perdeu o telefone e pediu isto, não faça nada. A sua senha continua a mesma.',
        'Se você não pediu, mantenha a verificação em duas etapas. O botão funciona uma vez, em até 24 horas.',
      ],
      button: 'Manter a verificação em duas etapas',
    },
    app_connected: {
      subject: 'App conectado à loja {store}',
      body: [
        'O app {app}, de {publisher}, agora está conectado à loja {store}.',
        'Na sua conta você vê o que ele pode fazer e pode desconectá-lo.',
      ],
      button: 'Ver apps conectados',
    },
    app_disconnected: {
      subject: 'App desconectado da loja {store}',
      body: [
        'O app {app} não está mais conectado à loja {store}. O acesso dele terminou e os webhooks dele estão pausados.',
      ],
      button: 'Ver apps conectados',
    },
    app_address_changed: {
      subject: 'Um endereço de um app foi alterado',
      body: [
        '{member} alterou um endereço do app {app}. Agora ele leva a {host}.',
        'A atividade da sua equipe mostra o que havia antes. Se você não conhece este endereço, desfaça a alteração e remova da equipe quem a fez.',
      ],
      button: 'Ver a atividade',
    },
    app_secret_changed: {
      subject: 'Um app tem uma nova chave de assinatura',
      body: [
        '{member} trocou a chave que assina os eventos do app {app}.',
        'Se você não esperava isso, pergunte a essa pessoa e troque a chave outra vez.',
      ],
      button: 'Ver a atividade',
    },
    app_disabled: {
      subject: 'Um dos seus apps foi desativado',
      body: [
        'Desativamos o app {app}. As conexões dele terminaram, e ninguém pode conectá-lo. Motivo: {reason}',
        'Se você acha que isto está errado, escreva para {contact}. Conte o que você mudou: um operador pode devolver o app a você.',
      ],
      button: 'Ver os seus apps',
    },
    member_invited: {
      subject: 'Uma pessoa foi convidada para a sua loja',
      body: [
        'Um operador de {service} convidou {email} para a loja {store}. Papel: {role}. Motivo: {reason}.',
        'O convite pode ser cancelado na página dos membros até ser aceito.',
      ],
      button: 'Ver os membros',
    },
    member_added: {
      subject: 'Um novo membro trabalha na loja {store}',
      body: ['{member} aceitou o convite para a loja {store}. Papel: {role}.'],
      button: 'Ver minhas lojas',
    },
    member_removed: {
      subject: 'Um membro não trabalha mais na loja {store}',
      body: ['{member} não faz mais parte da loja {store}. O acesso terminou.'],
      button: 'Ver minhas lojas',
    },
    you_were_removed: {
      subject: 'Você não trabalha mais em uma loja',
      body: ['Você não faz mais parte da loja {store}. Sua conta e suas outras lojas continuam.'],
    },
    role_changed: {
      subject: 'Você tem outro papel na loja {store}',
      body: ['Seu papel na loja {store} agora é: {role}. Quem o alterou foi {by}.'],
      button: 'Ver minhas lojas',
    },
    ownership_handed_over: {
      subject: 'A loja {store} tem um novo dono',
      body: ['A loja {store} agora pertence a {member}.'],
      button: 'Ver minhas lojas',
    },
    webhook_destination: {
      subject: 'Eventos da loja {store} vão para um novo endereço',
      body: [
        'Os eventos da loja {store} agora são enviados para {host}: um webhook foi criado, ou o endereço dele foi alterado.',
        'A atividade da loja mostra quem fez isso. Se você não conhece este destino, exclua o webhook e revogue a chave ou o app.',
      ],
      button: 'Ver os webhooks',
    },
    webhook_failing: {
      subject: 'Um webhook da loja {store} está falhando há {hours} horas',
      body: [
        'O destino {host} não aceita nenhum evento da loja {store} há {hours} horas.',
        'Continuamos tentando. Depois de 120 horas, o webhook é desligado. Peça a quem cuida do destino para verificar.',
      ],
      button: 'Ver os webhooks',
    },
    webhook_switched_off: {
      subject: 'Um webhook da loja {store} foi desligado',
      body: [
        'O destino {host} não aceitou os eventos da loja {store}, por isso o webhook foi desligado.',
        'Os eventos ficam retidos. Quando o destino voltar a funcionar, retome o webhook e eles serão enviados.',
      ],
      button: 'Ver os webhooks',
    },
    app_webhook_switched_off: {
      subject: 'O webhook de um app foi desligado',
      body: [
        'O destino {host} não aceitou os eventos do seu app {app}, por isso o webhook dele foi desligado.',
        'Os eventos ficam retidos por 30 dias. Quando o destino voltar a funcionar, abra o webhook do app e salve-o: eles serão enviados.',
      ],
      button: 'Ver meus apps',
    },
    event_budget: {
      subject: 'A loja {store} usou {percent}% dos eventos de hoje',
      body: [
        'A loja {store} registrou {percent}% dos {budget} de eventos que pode registrar hoje (UTC).',
        'Além disso, as importações e as chamadas que mudam muitos preços ficam mais lentas. O resto continua como antes. Procure um programa que altere os mesmos registros repetidamente.',
      ],
      button: 'Ver os webhooks',
    },
    export_ready: {
      subject: 'A exportação da loja {store} está pronta',
      body: ['O arquivo que você pediu está pronto. Baixe-o antes que seja excluído.'],
      button: 'Baixar',
    },
    store_made: {
      subject: 'Uma loja é sua',
      body: [
        '{inviter} abriu a loja {store} para você. Ela é sua.',
        'Entre com sua senha de sempre e veja a loja na sua conta.',
      ],
      button: 'Ver minhas lojas',
    },
    store_deactivated: {
      subject: 'A loja {store} foi desativada',
      body: [
        'A loja {store} foi desativada. Motivo: {reason}.',
        'Nada é enviado nem cobrado por ela. Os dados ficam guardados. Se você acha que isto está errado, escreva para {contact}.',
      ],
      button: 'Ver minhas lojas',
    },
    store_reactivated: {
      subject: 'A loja {store} está ativa de novo',
      body: ['A loja {store} está ativa de novo. O que estava esperando continua agora.'],
      button: 'Ver minhas lojas',
    },
    store_closing: {
      subject: 'Os dados da loja {store} serão apagados em {date}',
      body: [
        'A loja {store} está fechada. Em {date}, todos os dados dela serão apagados para sempre.',
        'Se ainda precisar deles, peça uma exportação antes disso.',
      ],
      button: 'Ver minhas lojas',
    },
    store_erasure_asked: {
      subject: 'Pediram para apagar os dados de {store}',
      body: [
        'Um operador de {service} pediu que todos os dados da loja {store} sejam apagados para sempre. Motivo: {reason}.',
        'Outro operador precisa confirmar. Quando isso acontecer, a loja é fechada e os dados são apagados um dia depois; você recebe um e-mail nessa hora.',
        'Se isto estiver errado, ou se você precisar dos dados, avise-nos agora: {contact}.',
      ],
      button: 'Ver as minhas lojas',
    },
    store_erasure_confirmed: {
      subject: 'Os dados de {store} serão apagados em um dia',
      body: [
        'Dois operadores de {service} decidiram que todos os dados da loja {store} serão apagados para sempre, 24 horas depois deste e-mail ({date}). Motivo: {reason}. A loja está fechada.',
        'Até lá qualquer operador pode impedir. Se isto estiver errado, ou se você precisar dos dados, avise-nos agora mesmo: {contact}.',
      ],
      button: 'Ver as minhas lojas',
    },
    operator_made: {
      subject: 'Você agora é operador',
      body: [
        'Sua conta agora pode cuidar de todas as lojas e usuários de {service}.',
        'Se você não esperava por isso, avise outro operador imediatamente.',
      ],
      button: 'Abrir as páginas de operação',
    },
    operator_added: {
      subject: 'Há um novo operador',
      body: [
        '{by} tornou um usuário operador, que agora pode cuidar de todas as lojas e usuários de {service}. Motivo: {reason}.',
        'Se você não esperava por isso, retire esses poderes imediatamente.',
      ],
      button: 'Ver o usuário',
    },
    store_erasure_asked_told: {
      subject: 'Um operador pediu para apagar uma loja',
      body: [
        '{by} pediu que todos os dados da loja {store} sejam apagados para sempre. Motivo: {reason}.',
        'O pedido espera por outro operador. Se estiver errado, cancele-o na página da loja.',
      ],
      button: 'Ver a loja',
    },
    store_erasure_confirmed_told: {
      subject: 'Uma loja será apagada em um dia',
      body: [
        '{by} confirmou que todos os dados da loja {store} serão apagados para sempre, 24 horas depois deste e-mail ({date}). Motivo: {reason}. A loja está fechada.',
        'Até lá você pode cancelar na página da loja.',
      ],
      button: 'Ver a loja',
    },
  },
};
