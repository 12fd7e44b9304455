import type { ErrorCode } from '../../base/error-codes.ts';
import type { ErrorMeaning } from './error-meaning.ts';

/**
 * Errors because of work that is under way or was done before: deliveries, jobs, repeated requests.
 */
export const workErrors = {
  confirmation_required: {
    en: {
      meaning:
        'An assistant asked for a deletion, for a change of a payment, or for a status that releases goods, without the consent of the person. Only the server for assistants returns this code.',
      remedy:
        'Ask the person. After a yes, repeat the very call with `confirm`: the word that `hint` has. It is of this call only, for ten minutes, and works once. A client that shows forms asks the person itself.',
    },
    'pt-BR': {
      meaning:
        'Um assistente pediu uma exclusão, a mudança de um pagamento ou um status que libera mercadoria, sem o consentimento da pessoa. Só o servidor de assistentes responde com este código.',
      remedy:
        'Pergunte à pessoa. Depois de um sim, repita a mesma chamada com `confirm`: a palavra que `hint` traz. Ela é só desta chamada, por dez minutos, e vale uma vez. Um cliente que mostra formulários pergunta ele mesmo à pessoa.',
    },
    es: {
      meaning:
        'Un asistente pidió una eliminación, el cambio de un pago o un estado que libera mercancía, sin el consentimiento de la persona. Solo el servidor de asistentes responde con este código.',
      remedy:
        'Pregunta a la persona. Tras un sí, repite la misma llamada con `confirm`: la palabra que trae `hint`. Es solo de esta llamada, por diez minutos, y vale una vez. Un cliente que muestra formularios pregunta él mismo a la persona.',
    },
  },
  not_held: {
    en: {
      meaning: 'The delivery is not held, or it is being sent at this moment.',
      remedy: 'Read the delivery again. To repeat one that arrived, start a replay.',
    },
    'pt-BR': {
      meaning: 'A entrega não está retida, ou alguém a está enviando neste momento.',
      remedy: 'Leia a entrega outra vez. Para repetir uma que chegou, comece um reenvio.',
    },
    es: {
      meaning: 'La entrega no está retenida, o alguien la está enviando en este momento.',
      remedy: 'Lee la entrega otra vez. Para repetir una que llegó, empieza un reenvío.',
    },
  },
  not_sent_yet: {
    en: {
      meaning:
        'The delivery still waits to be sent for the first time, so a replay would double it.',
      remedy: 'Wait for it. If the webhook is paused or disabled, resume it.',
    },
    'pt-BR': {
      meaning: 'A entrega ainda espera o primeiro envio; um reenvio a duplicaria.',
      remedy: 'Espere por ela. Se o webhook está pausado ou desativado, retome-o.',
    },
    es: {
      meaning: 'La entrega aún espera su primer envío; un reenvío la duplicaría.',
      remedy: 'Espera. Si el webhook está en pausa o desactivado, reanúdalo.',
    },
  },
  replay_under_way: {
    en: {
      meaning: 'A replay of this webhook runs; there can be one at a time.',
      remedy: 'Follow it in the list of replays until its state is done, then start the next one.',
    },
    'pt-BR': {
      meaning: 'Um reenvio deste webhook está em andamento; só pode haver um por vez.',
      remedy: 'Acompanhe-o na lista de reenvios até terminar e então comece o próximo.',
    },
    es: {
      meaning: 'Hay un reenvío de este webhook en curso; solo puede haber uno a la vez.',
      remedy: 'Síguelo en la lista de reenvíos hasta que termine y empieza entonces el siguiente.',
    },
  },
  rotation_under_way: {
    en: {
      meaning:
        'A rotation of the signing secret has begun and both secrets sign, or another request changed the secret at this moment.',
      remedy:
        'Commit the rotation or wait until its overlap ends. A secret that leaked is replaced at once with `immediate`.',
    },
    'pt-BR': {
      meaning:
        'Uma rotação do segredo de assinatura começou e os dois segredos assinam, ou outra requisição mudou o segredo neste momento.',
      remedy:
        'Confirme a rotação ou espere o fim da sobreposição. Um segredo vazado é trocado na hora com `immediate`.',
    },
    es: {
      meaning:
        'Empezó una rotación del secreto de firma y firman los dos secretos, u otra solicitud cambió el secreto en este momento.',
      remedy:
        'Confirma la rotación o espera a que termine el solapamiento. Un secreto filtrado se cambia al instante con `immediate`.',
    },
  },
  no_rotation: {
    en: {
      meaning: 'There is no rotation to commit: only one secret signs, or it was committed before.',
      remedy: 'Begin a rotation first. If you committed it before, you are done.',
    },
    'pt-BR': {
      meaning: 'Não há rotação a confirmar: só um segredo assina, ou ela já foi confirmada.',
      remedy: 'Comece antes uma rotação. Se você já a confirmou, está feito.',
    },
    es: {
      meaning: 'No hay rotación que confirmar: solo firma un secreto, o ya fue confirmada.',
      remedy: 'Empieza antes una rotación. Si ya la confirmaste, está hecho.',
    },
  },
  request_under_way: {
    en: {
      meaning:
        'The change of this `Idempotency-Key` was made by an earlier request, whose response is not stored yet.',
      remedy:
        'Repeat the request unchanged after `Retry-After` (one second): you then get that response.',
    },
    'pt-BR': {
      meaning:
        'A alteração desta `Idempotency-Key` foi feita por uma requisição anterior, cuja resposta ainda não está guardada.',
      remedy:
        'Repita a requisição sem mudanças após `Retry-After` (um segundo): você recebe essa resposta.',
    },
    es: {
      meaning:
        'El cambio de esta `Idempotency-Key` lo hizo una solicitud anterior, cuya respuesta aún no está guardada.',
      remedy:
        'Repite la solicitud sin cambios tras `Retry-After` (un segundo): recibes esa respuesta.',
    },
  },
  answer_lost: {
    en: {
      meaning:
        'The change of this `Idempotency-Key` was made, but its response is not stored: it was lost, or longer than 1 MB.',
      remedy:
        'Do not send the request with a new key, which would make the change twice. Read the records instead.',
    },
    'pt-BR': {
      meaning:
        'A alteração desta `Idempotency-Key` foi feita, mas a resposta não está guardada: perdeu-se, ou passava de 1 MB.',
      remedy:
        'Não envie a requisição com uma chave nova, o que faria a alteração duas vezes. Leia os registros.',
    },
    es: {
      meaning:
        'El cambio de esta `Idempotency-Key` se hizo, pero su respuesta no está guardada: se perdió, o pasaba de 1 MB.',
      remedy:
        'No envíes la solicitud con una clave nueva, que haría el cambio dos veces. Lee los registros.',
    },
  },
  test_store_full: {
    en: {
      meaning:
        'More than 500 carts, transactions, deliveries and webhooks of the test store wait for a time. One advance of the clock would have to change all of them, so nothing was changed.',
      remedy:
        'Delete carts, let deliveries arrive, or reset the test store. Then advance the clock again.',
    },
    'pt-BR': {
      meaning:
        'Mais de 500 carrinhos, transações, entregas e webhooks da loja de teste esperam por uma hora. Adiantar o relógio teria de alterar todos, então nada foi alterado.',
      remedy:
        'Exclua carrinhos, deixe as entregas chegarem ou redefina a loja de teste. Depois adiante o relógio de novo.',
    },
    es: {
      meaning:
        'Más de 500 carritos, transacciones, entregas y webhooks de la tienda de prueba esperan una hora. Adelantar el reloj tendría que cambiarlos todos, así que no se cambió nada.',
      remedy:
        'Elimina carritos, deja que las entregas lleguen o restablece la tienda de prueba. Después adelanta el reloj de nuevo.',
    },
  },
  too_many_transfers: {
    en: {
      meaning:
        'The store has five unfinished imports, or five unfinished exports. They run one after another.',
      remedy:
        'Wait until one has ended: read it until `state` is `done`. Cancel an import that is not needed.',
    },
    'pt-BR': {
      meaning:
        'A loja tem cinco importações inacabadas, ou cinco exportações inacabadas. Elas correm uma após a outra.',
      remedy:
        'Espere até que uma termine: leia-a até que `state` seja `done`. Cancele uma importação de que ninguém precisa.',
    },
    es: {
      meaning:
        'La tienda tiene cinco importaciones sin terminar, o cinco exportaciones sin terminar. Se ejecutan una tras otra.',
      remedy:
        'Espera a que una termine: léela hasta que `state` sea `done`. Cancela una importación que nadie necesita.',
    },
  },
  export_not_ready: {
    en: {
      meaning: 'The file of the export is not complete yet, or the export ended without one.',
      remedy:
        'Read the export until `state` is `done`, some seconds apart, then ask for the file. Start another one if it was cancelled or failed.',
    },
    'pt-BR': {
      meaning:
        'O arquivo da exportação ainda não está completo, ou a exportação terminou sem arquivo.',
      remedy:
        'Leia a exportação a cada poucos segundos até que `state` seja `done` e peça então o arquivo. Se foi cancelada ou falhou, inicie outra.',
    },
    es: {
      meaning:
        'El archivo de la exportación aún no está completo, o la exportación terminó sin archivo.',
      remedy:
        'Lee la exportación cada pocos segundos hasta que `state` sea `done` y pide entonces el archivo. Si fue cancelada o falló, inicia otra.',
    },
  },
  closed_too_recently: {
    en: {
      meaning:
        'The store is open, or has been closed for less than 30 days. So long its owner can open it again.',
      remedy:
        'Close it and wait, or ask for an immediate erasure, which another operator confirms.',
    },
    'pt-BR': {
      meaning:
        'A loja está aberta, ou foi encerrada há menos de 30 dias. Até lá ela pode ser reaberta.',
      remedy: 'Encerre-a e espere, ou peça um apagamento imediato, que outro operador confirma.',
    },
    es: {
      meaning:
        'La tienda está abierta, o lleva cerrada menos de 30 días. Hasta entonces puede volver a abrirse.',
      remedy: 'Ciérrala y espera, o pide un borrado inmediato, que confirma otro operador.',
    },
  },
  second_operator_needed: {
    en: {
      meaning:
        'An immediate erasure takes two people. You asked for it yourself, one of you has been an operator for less than seven days, one made the other one, also by way of others, or a third one, who was made one too, made both.',
      remedy:
        'Let an operator whom neither you nor your people made read the reason and confirm it.',
    },
    'pt-BR': {
      meaning:
        'Um apagamento imediato exige duas pessoas. Foi você quem o pediu, um de vocês é operador há menos de sete dias, um nomeou o outro, mesmo por meio de outros, ou um terceiro, também nomeado, nomeou os dois.',
      remedy: 'Peça que um operador que nem você nem os seus nomearam leia o motivo e confirme.',
    },
    es: {
      meaning:
        'Un borrado inmediato necesita dos personas. Lo pediste tú, uno de los dos es operador desde hace menos de siete días, uno nombró al otro, también a través de otros, o un tercero, también nombrado, nombró a ambos.',
      remedy:
        'Pide a un operador al que ni tú ni los tuyos nombraron que lea el motivo y lo confirme.',
    },
  },
  nothing_to_confirm: {
    en: {
      meaning:
        'The request was cancelled, is older than seven days, or was made by a person who is no operator any more.',
      remedy: 'Read the job. If the data must still be erased, ask for it again.',
    },
    'pt-BR': {
      meaning:
        'O pedido foi cancelado, tem mais de sete dias, ou foi feito por alguém que já não é operador.',
      remedy: 'Leia o trabalho. Se os dados ainda devem ser apagados, peça de novo.',
    },
    es: {
      meaning:
        'La solicitud se canceló, tiene más de siete días, o la hizo alguien que ya no es operador.',
      remedy: 'Lee el trabajo. Si aún hay que borrar los datos, pídelo de nuevo.',
    },
  },
  store_erased: {
    en: {
      meaning: 'The data of the store were erased. Only its number is left.',
      remedy: 'Create a new store. The former alias is free again.',
    },
    'pt-BR': {
      meaning: 'Os dados da loja foram apagados. Só restou o número dela.',
      remedy: 'Crie uma nova loja. O alias anterior está livre outra vez.',
    },
    es: {
      meaning: 'Los datos de la tienda fueron borrados. Solo queda su número.',
      remedy: 'Crea una tienda nueva. El alias anterior está libre otra vez.',
    },
  },
  move_not_done: {
    en: {
      meaning: 'Only a store that is in its new database leaves old data that can be deleted.',
      remedy: 'Read the job until its state is done, then ask again.',
    },
    'pt-BR': {
      meaning: 'Só uma loja que está no novo banco de dados deixa dados antigos para apagar.',
      remedy: 'Leia o trabalho até que seu estado seja done, e peça de novo.',
    },
    es: {
      meaning: 'Solo una tienda que está en su nueva base de datos deja datos antiguos por borrar.',
      remedy: 'Lee el trabajo hasta que su estado sea done, y pide de nuevo.',
    },
  },
  job_under_way: {
    en: {
      meaning: 'A store is moved to one place at a time, and another move of it has not ended.',
      remedy: 'Read that job until it has ended, or cancel it, then ask again.',
    },
    'pt-BR': {
      meaning:
        'Uma loja é movida para um lugar de cada vez, e outra mudança dela ainda não terminou.',
      remedy: 'Leia aquele trabalho até que termine, ou cancele-o, e peça de novo.',
    },
    es: {
      meaning:
        'Una tienda se mueve a un lugar a la vez, y otro traslado suyo todavía no ha terminado.',
      remedy: 'Lee ese trabajo hasta que termine, o cancélalo, y vuelve a pedirlo.',
    },
  },
  job_irrevocable: {
    en: {
      meaning:
        'The job only goes forward: the erasure has begun to delete, the store has moved already, or no operator asks for such work.',
      remedy: 'Read the job until it has ended. A store that has moved can be moved back.',
    },
    'pt-BR': {
      meaning:
        'O trabalho já não tem volta: o apagamento começou a excluir dados, a loja já mudou de lugar, ou nenhum operador pede um trabalho assim.',
      remedy: 'Leia o trabalho até que termine. Uma loja que mudou de lugar pode voltar.',
    },
    es: {
      meaning:
        'El trabajo ya no tiene vuelta atrás: el borrado empezó a eliminar datos, la tienda ya se trasladó, o ningún operador pide un trabajo así.',
      remedy: 'Lee el trabajo hasta que termine. Una tienda trasladada puede volver a su lugar.',
    },
  },
  user_owns_stores: {
    en: {
      meaning: 'The user owns stores or apps that are in use, or is the only operator.',
      remedy:
        'Hand the stores over or erase them, disable the apps, and make another user an operator. Then erase the user.',
    },
    'pt-BR': {
      meaning: 'O usuário é dono de lojas ou apps em uso, ou é o único operador.',
      remedy:
        'Passe as lojas adiante ou apague-as, desative os apps e nomeie outro operador. Depois apague o usuário.',
    },
    es: {
      meaning: 'El usuario es dueño de tiendas o apps en uso, o es el único operador.',
      remedy:
        'Traspasa las tiendas o bórralas, desactiva las apps y nombra a otro operador. Después borra al usuario.',
    },
  },
  gone: {
    en: {
      meaning: 'The event was here, but its body was deleted after its retention period.',
      remedy: 'Read the record that the event was about: it has the present state.',
    },
    'pt-BR': {
      meaning: 'O evento existiu, mas o corpo dele foi apagado após o prazo de retenção.',
      remedy: 'Leia o registro de que o evento tratava: ele tem o estado atual.',
    },
    es: {
      meaning: 'El evento existió, pero su cuerpo fue eliminado tras el plazo de retención.',
      remedy: 'Lee el registro del que trataba el evento: tiene el estado actual.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, ErrorMeaning>>;
