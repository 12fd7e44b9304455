import { errorCodes, type ErrorCode } from '../../base/error-codes.ts';
import type { Language } from '../../base/languages.ts';
import { oauthErrors } from '../../oauth/oauth-errors.ts';
import { errorMeanings } from '../meaning/error-meanings.ts';
import type { Table } from './markdown-table.ts';

const errorHeads: Record<Language, readonly string[]> = {
  en: ['Code', 'Status', 'Meaning', 'What to do'],
  'pt-BR': ['Código', 'Status', 'Significado', 'O que fazer'],
  es: ['Código', 'Estado', 'Significado', 'Qué hacer'],
};

/**
 * Every code of an error of the API. The id of a row is the code, so that `documentation_url` leads
 * there.
 */
export function errorCodeTable(language: Language): Table {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return {
    head: errorHeads[language],
    rows: codes.map((code) => {
      const { meaning, remedy } = errorMeanings[code][language];
      return { id: code, cells: [`\`${code}\``, String(errorCodes[code][0]), meaning, remedy] };
    }),
  };
}

type OAuthErrorName = (typeof oauthErrors)[keyof typeof oauthErrors][1];

/** The reaction of a program to an error of the token and revocation endpoints. */
const oauthRemedies: Record<OAuthErrorName, Record<Language, string>> = {
  invalid_request: {
    en: 'Correct the request: `error_description` names the parameter. The same request fails again.',
    'pt-BR':
      'Corrija a requisição: `error_description` diz qual parâmetro. A mesma requisição falha de novo.',
    es: 'Corrige la solicitud: `error_description` nombra el parámetro. La misma solicitud vuelve a fallar.',
  },
  unsupported_grant_type: {
    en: 'Send `authorization_code` or `refresh_token`.',
    'pt-BR': 'Envie `authorization_code` ou `refresh_token`.',
    es: 'Envía `authorization_code` o `refresh_token`.',
  },
  invalid_client: {
    en: 'Compare `client_id` with the one in the partner panel. The code or token belongs to the app that asked for it.',
    'pt-BR':
      'Compare `client_id` com o do painel de parceiros. O código ou token pertence ao app que o pediu.',
    es: 'Compara `client_id` con el del panel de partners. El código o token pertenece a la app que lo pidió.',
  },
  invalid_grant: {
    en: 'Final: ask the merchant to connect the app again. Do not repeat the request.',
    'pt-BR': 'Definitivo: peça ao lojista que conecte o app de novo. Não repita a requisição.',
    es: 'Definitivo: pide al comerciante que conecte la app de nuevo. No repitas la solicitud.',
  },
  invalid_scope: {
    en: 'Ask for no more scopes than the merchant granted.',
    'pt-BR': 'Não peça mais escopos do que o lojista concedeu.',
    es: 'No pidas más scopes de los que el comerciante concedió.',
  },
  invalid_target: {
    en: 'Name the address of the tools for assistants as `resource`, or nothing.',
    'pt-BR': 'Informe em `resource` o endereço das ferramentas para assistentes, ou nada.',
    es: 'Indica en `resource` la dirección de las herramientas para asistentes, o nada.',
  },
  invalid_client_metadata: {
    en: 'Send JSON with `redirect_uris` and `client_name` to `/oauth/register`.',
    'pt-BR': 'Envie JSON com `redirect_uris` e `client_name` a `/oauth/register`.',
    es: 'Envía JSON con `redirect_uris` y `client_name` a `/oauth/register`.',
  },
  invalid_redirect_uri: {
    en: 'Register an https address, or `http://127.0.0.1` with any port.',
    'pt-BR': 'Registre um endereço https, ou `http://127.0.0.1` com qualquer porta.',
    es: 'Registra una dirección https, o `http://127.0.0.1` con cualquier puerto.',
  },
  temporarily_unavailable: {
    en: 'Wait for `Retry-After` seconds and repeat the same request. The tokens are still valid.',
    'pt-BR':
      'Espere `Retry-After` segundos e repita a mesma requisição. Os tokens continuam válidos.',
    es: 'Espera `Retry-After` segundos y repite la misma solicitud. Los tokens siguen siendo válidos.',
  },
};

const oauthHeads: Record<Language, readonly string[]> = {
  en: ['`error`', 'Status', '`hint`', 'What to do'],
  'pt-BR': ['`error`', 'Status', '`hint`', 'O que fazer'],
  es: ['`error`', 'Estado', '`hint`', 'Qué hacer'],
};

/** The errors of the token and revocation endpoints, with every hint. */
export function oauthErrorTable(language: Language): Table {
  const all = Object.values(oauthErrors);
  const names = [...new Set(all.map(([, name]) => name))];
  return {
    head: oauthHeads[language],
    rows: names.map((name) => {
      const same = all.filter(([, other]) => other === name);
      const statuses = [...new Set(same.map(([status]) => status))];
      const hints = [
        ...new Set(same.flatMap(([, , , hint]) => (hint === undefined ? [] : [hint]))),
      ];
      return {
        id: `oauth-${name}`,
        cells: [
          `\`${name}\``,
          statuses.join(', '),
          hints.map((hint) => `\`${hint}\``).join(', '),
          oauthRemedies[name][language],
        ],
      };
    }),
  };
}
