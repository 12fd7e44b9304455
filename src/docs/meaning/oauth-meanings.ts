import type { DocumentTexts } from '../../http/openapi/document-texts.ts';

/** The endpoints of the authorization server. */
export const oauthOperationTexts: DocumentTexts['operations'] = {
  authorizeApp: {
    en: {
      summary: 'Ask a merchant for access',
      description:
        'Send the merchant here in a browser, by a link or a redirect: this is a page, not a call of your server. The merchant signs in, chooses a store and sees what the app asks for. Then the browser returns to your redirect URI with a code that lives 60 seconds.',
    },
    'pt-BR': 'Pedir acesso a um lojista',
    es: 'Pedir acceso a un comerciante',
  },
  issueTokens: {
    en: {
      summary: 'Get or refresh tokens',
      description:
        'Redeems the code of a consent, and later exchanges the refresh token. Refresh before `expires_in` is over and store the new refresh token first. If the answer is lost, send the same request again: within 2 minutes you get the same tokens. A code or an old refresh token that is used again ends the connection, because it may be stolen.',
    },
    'pt-BR': 'Obter ou renovar tokens',
    es: 'Obtener o renovar tokens',
  },
  revokeToken: {
    en: {
      summary: 'Disconnect from a store',
      description:
        'Ends the connection of a token at once, as when a merchant uninstalls your app on your side. All tokens of the connection end, and webhooks of the app that no other connection covers are paused. The answer is the same for unknown tokens.',
    },
    'pt-BR': 'Desconectar de uma loja',
    es: 'Desconectar de una tienda',
  },
  registerClient: {
    en: {
      summary: 'Register an assistant',
      description:
        'An assistant without a registered app gets a client id (RFC 7591). Assistants whose metadata are at an https address need no registration: that address is their client id. Limited per network.',
    },
    'pt-BR': 'Registrar um assistente',
    es: 'Registrar un asistente',
  },
  showProtectedResource: {
    en: {
      summary: 'Discover the tools for assistants',
      description:
        'The metadata that assistants load after a 401 to find the authorization server (RFC 9728). It needs no credentials and may be cached.',
    },
    'pt-BR': 'Descobrir as ferramentas para assistentes',
    es: 'Descubrir las herramientas para asistentes',
  },
  showAuthorizationServer: {
    en: {
      summary: 'Discover the authorization server',
      description:
        'The metadata that OAuth libraries load instead of a configuration (RFC 8414). It needs no credentials and may be cached.',
    },
    'pt-BR': 'Descobrir o servidor de autorização',
    es: 'Descubrir el servidor de autorización',
  },
};
