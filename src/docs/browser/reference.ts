/** The script of the interactive reference: starts Scalar, which draws the OpenAPI document. It asks no other host for anything. */
interface ScalarGlobal {
  createApiReference: (target: string | Element, options: Record<string, unknown>) => unknown;
}
declare const Scalar: ScalarGlobal;

/** Texts with enough contrast, in the colours and fonts of the other pages. */
const customCss = `
.light-mode { --scalar-color-1: #1b1f24; --scalar-color-2: #57606a; --scalar-color-3: #57606a; --scalar-color-accent: #0b57d0;
  --scalar-color-green: #176f31; --scalar-color-red: #b3261e; --scalar-color-orange: #815300; --scalar-color-yellow: #815300;
  --scalar-color-blue: #0b57d0; --scalar-color-purple: #6a3fb0; }
.dark-mode { --scalar-color-1: #e6e8eb; --scalar-color-2: #a8b1bb; --scalar-color-3: #a8b1bb; --scalar-color-accent: #8ab4f8;
  --scalar-color-green: #7fdb9c; --scalar-color-red: #ff9c94; --scalar-color-orange: #f0c36b; --scalar-color-yellow: #f0c36b;
  --scalar-color-blue: #8ab4f8; --scalar-color-purple: #cbaeff; }
.light-mode, .dark-mode { --scalar-font: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  --scalar-font-code: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
`;

const target = document.getElementById('reference');
if (target) {
  const { userToken = '', userSecret = '' } = target.dataset;
  target.replaceChildren();
  Scalar.createApiReference(target, {
    url: '/openapi.json',
    // Every service that a page would call by default is another host.
    proxyUrl: '',
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    showDeveloperTools: 'never',
    hideClientButton: true,
    documentDownloadType: 'none',
    persistAuth: false,
    theme: 'default',
    layout: 'modern',
    operationTitleSource: 'summary',
    defaultOpenAllTags: false,
    defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    hiddenClients: hiddenClients(),
    authentication: {
      preferredSecurityScheme: [['userToken', 'userSecretKey']],
      securitySchemes: {
        userToken: { name: 'User-Token', in: 'header', value: knownKey(userToken) },
        userSecretKey: { name: 'User-Secret-Key', in: 'header', value: knownKey(userSecret) },
      },
    },
    metaData: { title: document.title },
    // The bar above follows the system, too.
    forceDarkModeState: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
    hideDarkModeToggle: true,
    customCss,
  });
}

/** The key of the demo; nothing where the page has names in capital letters. */
function knownKey(value: string): string {
  return value.startsWith('YOUR_') ? '' : value;
}

/** Samples are in the six languages of the guides. */
function hiddenClients(): Record<string, true | string[]> {
  return {
    c: true,
    clojure: true,
    csharp: true,
    dart: true,
    fsharp: true,
    http: true,
    java: true,
    js: true,
    kotlin: true,
    node: ['axios', 'ofetch', 'undici'],
    objc: true,
    ocaml: true,
    php: ['guzzle', 'laravel'],
    powershell: true,
    python: ['python3', 'aiohttp', 'httpx_async', 'httpx_sync'],
    r: true,
    rust: true,
    shell: ['wget', 'httpie'],
    swift: true,
  };
}
