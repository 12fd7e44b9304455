/** One authorization, as the examples of the OAuth operations show it. */
export const oauthExamples = {
  code: 'oac_AQH3k8c2Yx0PqLr7mZ5tUw',
  accessToken: 'oat_AQJ8s1d4Vb6NqRt2kX9yCe',
  refreshToken: 'ort_AQK5f7h0Zm3LwPs8jT1uGa',
  clientId: 'app_5f0c9c1e7d',
  verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  scope: 'catalog.read orders.read',
  challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  redirectUri: 'https://app.example.com/oauth/callback',
  state: 'af0ifjsldkj',
};
