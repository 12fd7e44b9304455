import type { SiteProps } from './props.ts';
import { SiteLayout } from './site-layout.tsx';

/**
 * The interactive reference: forms that a script creates from the OpenAPI document. Without scripts it leads to the
 * plain pages. The values of its attributes are those of the deployment.
 */
export const InteractivePage = ({ site }: { site: SiteProps }) => (
  <SiteLayout {...site} script={<script src={site.assets.reference} type="module"></script>}>
    <h1>{site.title}</h1>
    <p>
      Choose an operation, fill in the form and send the request from here. It changes real data of
      the store. <a href="/docs/reference/operations">Other pages</a> describe every field, answer
      and error.
    </p>
    <div
      id="reference"
      data-user-token="{{user_token}}"
      data-user-secret="{{user_secret}}"
      data-store="{{store}}"
    >
      <p>The form needs JavaScript.</p>
    </div>
  </SiteLayout>
);
