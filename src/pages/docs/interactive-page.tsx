import type { SiteProps } from './props.ts';
import { SiteHead } from './site-layout.tsx';

/**
 * The interactive reference, drawn in the browser from the OpenAPI document. Without scripts it leads to the plain pages. The values
 * of its attributes are those of the deployment.
 */
export const InteractivePage = ({ site }: { site: SiteProps }) => (
  <html lang="en">
    <SiteHead {...site} style={site.assets.reference.style}>
      <script src={site.assets.reference.library} defer></script>
      <script src={site.assets.reference.script} defer></script>
    </SiteHead>
    <body class="interactive">
      <nav class="bar" aria-label="Documentation">
        <a href="/docs">
          {'{{brand}}'} <span class="muted">Documentation</span>
        </a>
        <a href="/docs#guides">Guides</a>
        <a href="/docs/reference/operations">Plain pages</a>
      </nav>
      <div id="reference" data-user-token="{{user_token}}" data-user-secret="{{user_secret}}">
        <main class="column">
          <h1>Interactive reference</h1>
          <p>
            It needs JavaScript. The <a href="/docs/reference/operations">plain pages</a> contain
            the same without.
          </p>
        </main>
      </div>
    </body>
  </html>
);
