import type { ErrorCode } from '../../base/error-codes.ts';
import type { ErrorMeaning } from './error-meaning.ts';

/** Errors of the target of a request: a path, a method, a record, a kind of body. */
export const addressErrors = {
  not_found: {
    en: {
      meaning: 'This store has no record with the ids of the path, or it was deleted.',
      remedy: 'Check the ids. If you mirror the records, delete your copy of this one.',
    },
    'pt-BR': {
      meaning: 'Esta loja não tem registro com os ids do caminho, ou ele foi apagado.',
      remedy: 'Confira os ids. Se você espelha os registros, apague a sua cópia deste.',
    },
    es: {
      meaning: 'Esta tienda no tiene ningún registro con los ids de la ruta, o fue eliminado.',
      remedy: 'Comprueba los ids. Si replicas los registros, elimina tu copia de este.',
    },
  },
  unknown_reference: {
    en: {
      meaning: 'An id in the body names no record of this store; `errors` says which.',
      remedy: 'Create that record first, or use an id that this store has. Nothing was changed.',
    },
    'pt-BR': {
      meaning: 'Um id no corpo não é de nenhum registro desta loja; `errors` diz qual.',
      remedy: 'Crie antes esse registro, ou use um id que a loja tem. Nada foi alterado.',
    },
    es: {
      meaning: 'Un id del cuerpo no es de ningún registro de esta tienda; `errors` dice cuál.',
      remedy: 'Crea antes ese registro, o usa un id que la tienda tenga. No se cambió nada.',
    },
  },
  empty_list: {
    en: {
      meaning:
        'Nothing in this list matches the query. Comments, customizations and feeds answer 404 then; the body still has empty `data` and `meta`.',
      remedy: 'Treat it as an empty list.',
    },
    'pt-BR': {
      meaning:
        'Nada nesta lista combina com a query. Comentários, personalizações e feeds respondem então 404; o corpo ainda tem `data` vazio e `meta`.',
      remedy: 'Trate como uma lista vazia.',
    },
    es: {
      meaning:
        'Nada de esta lista coincide con la query. Comentarios, personalizaciones y feeds responden entonces 404; el cuerpo conserva `data` vacío y `meta`.',
      remedy: 'Trátalo como una lista vacía.',
    },
  },
  unknown_path: {
    en: {
      meaning: 'No operation has this path. Credentials were not looked at.',
      remedy:
        'Compare the path with the reference: it begins with `/v2`, has the alias of the store, and no slash at its end.',
    },
    'pt-BR': {
      meaning: 'Nenhuma operação tem este caminho. As credenciais não foram examinadas.',
      remedy:
        'Compare o caminho com a referência: começa com `/v2`, tem o alias da loja e não termina em barra.',
    },
    es: {
      meaning: 'Ninguna operación tiene esta ruta. No se miraron las credenciales.',
      remedy:
        'Compara la ruta con la referencia: empieza por `/v2`, lleva el alias de la tienda y no termina en barra.',
    },
  },
  method_not_allowed: {
    en: {
      meaning: 'The path exists, but not with this method.',
      remedy: 'Use one of the methods in the header `Allow`. A change is PUT, never PATCH.',
    },
    'pt-BR': {
      meaning: 'O caminho existe, mas não com este método.',
      remedy: 'Use um dos métodos do cabeçalho `Allow`. Uma alteração é PUT, nunca PATCH.',
    },
    es: {
      meaning: 'La ruta existe, pero no con este método.',
      remedy: 'Usa uno de los métodos de la cabecera `Allow`. Un cambio es PUT, nunca PATCH.',
    },
  },
  precondition_failed: {
    en: {
      meaning:
        'The record changed since you read it, so its ETag is not the one in `If-Match`. Nothing was changed.',
      remedy:
        'Read the record again, apply your change to its present values, and send its new ETag.',
    },
    'pt-BR': {
      meaning:
        'O registro mudou desde a sua leitura, e a ETag dele não é a de `If-Match`. Nada foi alterado.',
      remedy:
        'Leia o registro de novo, aplique a sua mudança aos valores atuais e envie a nova ETag.',
    },
    es: {
      meaning:
        'El registro cambió desde que lo leíste, y su ETag no es la de `If-Match`. No se cambió nada.',
      remedy:
        'Lee el registro de nuevo, aplica tu cambio a sus valores actuales y envía su nueva ETag.',
    },
  },
  body_too_large: {
    en: {
      meaning:
        'The body is larger than the operation takes: 1 MiB, where nothing else is said. A compressed body counts as what it stands for.',
      remedy: 'Split the work into several requests, or use the import of products.',
    },
    'pt-BR': {
      meaning:
        'O corpo é maior do que a operação aceita: 1 MiB, onde nada mais é dito. Um corpo comprimido conta pelo que contém.',
      remedy: 'Divida o trabalho em várias requisições, ou use a importação de produtos.',
    },
    es: {
      meaning:
        'El cuerpo es mayor de lo que admite la operación: 1 MiB, si no se dice otra cosa. Un cuerpo comprimido cuenta por lo que contiene.',
      remedy: 'Divide el trabajo en varias solicitudes, o usa la importación de productos.',
    },
  },
  not_acceptable: {
    en: {
      meaning:
        'The header `Accept` of a request to `/mcp` allows neither of the two types of its answers.',
      remedy:
        'Send `Accept: application/json`, or leave the header out. `text/event-stream` alone gives a stream.',
    },
    'pt-BR': {
      meaning:
        'O cabeçalho `Accept` de uma requisição a `/mcp` não permite nenhum dos dois tipos das respostas.',
      remedy:
        'Envie `Accept: application/json`, ou deixe o cabeçalho fora. Só `text/event-stream` dá um fluxo.',
    },
    es: {
      meaning:
        'La cabecera `Accept` de una solicitud a `/mcp` no permite ninguno de los dos tipos de las respuestas.',
      remedy:
        'Envía `Accept: application/json`, u omite la cabecera. Solo `text/event-stream` da un flujo.',
    },
  },
  unsupported_media_type: {
    en: {
      meaning:
        'The `Content-Type` or the `Content-Encoding` of the body is not what the operation reads.',
      remedy:
        'Send `Content-Type: application/json`, or the type that the header `Accept` of the answer names; compress a body with gzip or deflate, or not at all.',
    },
    'pt-BR': {
      meaning: 'O `Content-Type` ou o `Content-Encoding` do corpo não é o que a operação lê.',
      remedy:
        'Envie `Content-Type: application/json`, ou o tipo que o cabeçalho `Accept` da resposta indica; comprima o corpo com gzip ou deflate, ou não o comprima.',
    },
    es: {
      meaning:
        'El `Content-Type` o el `Content-Encoding` del cuerpo no es el que lee la operación.',
      remedy:
        'Envía `Content-Type: application/json`, o el tipo que indica la cabecera `Accept` de la respuesta; comprime el cuerpo con gzip o deflate, o no lo comprimas.',
    },
  },
  misdirected_request: {
    en: {
      meaning:
        'A local service was called by a host name that is not of this machine. Local keys are public, so it refuses.',
      remedy: 'Call it as `localhost`, or add the name to `LOCAL_HOSTS`.',
    },
    'pt-BR': {
      meaning:
        'Um serviço local foi chamado por um nome de host que não é desta máquina. As chaves locais são públicas, por isso ele recusa.',
      remedy: 'Chame-o como `localhost`, ou acrescente o nome a `LOCAL_HOSTS`.',
    },
    es: {
      meaning:
        'Se llamó a un servicio local con un nombre de host que no es de esta máquina. Las claves locales son públicas, por eso lo rechaza.',
      remedy: 'Llámalo como `localhost`, o añade el nombre a `LOCAL_HOSTS`.',
    },
  },
} as const satisfies Partial<Record<ErrorCode, ErrorMeaning>>;
