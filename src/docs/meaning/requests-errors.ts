import type { ErrorCode } from '../../base/error-codes.ts';
import type { ErrorMeaning } from './error-meaning.ts';

/** Errors of the query, the headers and the body of a request. */
export const requestErrors = {
  invalid_query: {
    en: {
      meaning:
        'A query parameter has a value that it cannot have, looks like a filter that the list does not have, or is unknown in a request with `Prefer: handling=strict`. `errors` names each one.',
      remedy: 'Correct the parameters or leave them out. A repetition gives the same answer.',
    },
    'pt-BR': {
      meaning:
        'Um parâmetro da query tem um valor que não pode ter, parece um filtro que a lista não tem, ou é desconhecido numa requisição com `Prefer: handling=strict`. `errors` diz quais.',
      remedy: 'Corrija os parâmetros ou deixe-os fora. Repetir dá a mesma resposta.',
    },
    es: {
      meaning:
        'Un parámetro de la query tiene un valor que no puede tener, parece un filtro que la lista no tiene, o es desconocido en una solicitud con `Prefer: handling=strict`. `errors` nombra cada uno.',
      remedy: 'Corrige los parámetros u omítelos. Repetir da la misma respuesta.',
    },
  },
  invalid_id: {
    en: {
      meaning: 'An id in the path is not a positive whole number, so no record can have it.',
      remedy:
        'Use the `id` of a record as a response has it. Often a variable was empty or holds another value, such as a SKU code.',
    },
    'pt-BR': {
      meaning: 'Um id no caminho não é um número inteiro positivo; nenhum registro pode tê-lo.',
      remedy:
        'Use o `id` de um registro como vem na resposta. Muitas vezes uma variável estava vazia ou tem outro valor, como o código de um SKU.',
    },
    es: {
      meaning: 'Un id de la ruta no es un número entero positivo; ningún registro puede tenerlo.',
      remedy:
        'Usa el `id` de un registro tal como viene en una respuesta. A menudo una variable estaba vacía o tiene otro valor, como el código de un SKU.',
    },
  },
  malformed_body: {
    en: {
      meaning:
        'The body cannot be read: it is not JSON in UTF-8, is nested more than 100 levels deep, or has more than 10,000 members.',
      remedy: 'Let a JSON library write the body, and look at what is really sent.',
    },
    'pt-BR': {
      meaning:
        'O corpo não pode ser lido: não é JSON em UTF-8, tem mais de 100 níveis ou mais de 10.000 membros.',
      remedy: 'Deixe uma biblioteca JSON escrever o corpo, e veja o que é enviado de fato.',
    },
    es: {
      meaning:
        'El cuerpo no se puede leer: no es JSON en UTF-8, tiene más de 100 niveles o más de 10.000 miembros.',
      remedy: 'Deja que una biblioteca JSON escriba el cuerpo, y mira qué se envía en realidad.',
    },
  },
  invalid_idempotency_key: {
    en: {
      meaning:
        'The header `Idempotency-Key` is empty, too long, or has other characters than ASCII.',
      remedy: 'Send 1 to 255 printable ASCII characters; a UUID per write is a good key.',
    },
    'pt-BR': {
      meaning:
        'O cabeçalho `Idempotency-Key` está vazio, longo demais ou tem caracteres não ASCII.',
      remedy: 'Envie de 1 a 255 caracteres ASCII visíveis; um UUID por escrita é uma boa chave.',
    },
    es: {
      meaning:
        'La cabecera `Idempotency-Key` está vacía, es demasiado larga o tiene caracteres no ASCII.',
      remedy: 'Envía de 1 a 255 caracteres ASCII visibles; un UUID por escritura es buena clave.',
    },
  },
  invalid_precondition: {
    en: {
      meaning:
        'The header `If-Match` or `If-None-Match` is neither `*` nor a list of entity tags in double quotes.',
      remedy: 'Send the header `ETag` of the record as it came, with its quotes.',
    },
    'pt-BR': {
      meaning:
        'O cabeçalho `If-Match` ou `If-None-Match` não é `*` nem uma lista de entity tags entre aspas duplas.',
      remedy: 'Envie o cabeçalho `ETag` do registro como veio, com as aspas.',
    },
    es: {
      meaning:
        'La cabecera `If-Match` o `If-None-Match` no es `*` ni una lista de entity tags entre comillas dobles.',
      remedy: 'Envía la cabecera `ETag` del registro tal como vino, con sus comillas.',
    },
  },
  answer_too_large: {
    en: {
      meaning: 'The answer would be larger than 6 MiB, mostly because of long texts in includes.',
      remedy: 'Ask for a smaller `limit`, or name fewer relations in `include`.',
    },
    'pt-BR': {
      meaning: 'A resposta passaria de 6 MiB, quase sempre por textos longos nos includes.',
      remedy: 'Peça um `limit` menor, ou nomeie menos relações em `include`.',
    },
    es: {
      meaning: 'La respuesta pasaría de 6 MiB, casi siempre por textos largos en los includes.',
      remedy: 'Pide un `limit` menor, o nombra menos relaciones en `include`.',
    },
  },
  list_too_long: {
    en: {
      meaning:
        'More than 10,000 records match, and the order asked for would mean to sort them all.',
      remedy: 'Add a filter, such as a `date`, or order by `id`.',
    },
    'pt-BR': {
      meaning: 'Mais de 10.000 registros combinam, e a ordem pedida exigiria ordenar todos.',
      remedy: 'Acrescente um filtro, como `date`, ou ordene por `id`.',
    },
    es: {
      meaning: 'Más de 10.000 registros coinciden, y el orden pedido obligaría a ordenarlos todos.',
      remedy: 'Añade un filtro, como `date`, u ordena por `id`.',
    },
  },
  invalid_body: {
    en: {
      meaning:
        'Fields of the body are missing, have a wrong form, or break a rule such as a name that is taken. All of them are in `errors`, by their dotted path. The status is 422, or 400 where the operation has no 422.',
      remedy: 'Correct the fields and send the request again. Nothing was changed.',
    },
    'pt-BR': {
      meaning:
        'Campos do corpo faltam, têm forma errada ou quebram uma regra, como um nome já usado. Todos estão em `errors`, pelo caminho com pontos. O status é 422, ou 400 onde a operação não tem 422.',
      remedy: 'Corrija os campos e envie a requisição de novo. Nada foi alterado.',
    },
    es: {
      meaning:
        'Faltan campos del cuerpo, tienen forma incorrecta o rompen una regla, como un nombre ya usado. Todos están en `errors`, por su ruta con puntos. El status es 422, o 400 donde la operación no tiene 422.',
      remedy: 'Corrige los campos y envía la solicitud de nuevo. No se cambió nada.',
    },
  },
  key_reused: {
    en: {
      meaning:
        'The `Idempotency-Key` belongs to an earlier request with another method, path, query or body. Neither this request nor the earlier one was executed now.',
      remedy:
        'Make a new key for every new request, and keep it only for repetitions of the very same one.',
    },
    'pt-BR': {
      meaning:
        'A `Idempotency-Key` pertence a uma requisição anterior com outro método, caminho, query ou corpo. Nem esta nem a anterior foi executada agora.',
      remedy:
        'Crie uma chave nova para cada requisição nova, e guarde-a só para repetições da mesma.',
    },
    es: {
      meaning:
        'La `Idempotency-Key` pertenece a una solicitud anterior con otro método, ruta, query o cuerpo. Ni esta ni la anterior se ejecutó ahora.',
      remedy:
        'Crea una clave nueva para cada solicitud nueva, y guárdala solo para repetir la misma.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, ErrorMeaning>>;
