import type { Language } from '../../base/languages.ts';
import { logoPath } from '../../base/page-paths.ts';
import { messagesFor } from '../texts/messages.ts';
import { initialsOf } from './dashboard-layout.tsx';
import { UntrustedName } from './inline-text.tsx';

/** The picture of an app, or its initial where it has none. */
export const AppLogo = ({
  app: { client_id: clientId, name, logo },
  language,
}: {
  app: { client_id: string; name: string; logo: string | null };
  language: Language;
}) =>
  logo === null ? (
    <span class="app-logo" aria-hidden="true">
      {initialsOf(name).slice(0, 1)}
    </span>
  ) : (
    <img
      class="app-logo"
      src={logoPath(clientId, logo)}
      alt={messagesFor(language).partners.logo.alt.replace('{app}', () => name)}
      width="48"
      height="48"
    />
  );

/** Who makes an app, as merchants see it. */
export interface ShownIdentity {
  publisher: string;
  site_url: string | null;
  /** An e-mail address, or a page. */
  support: string | null;
  privacy_url: string | null;
  /** The domain that is proved; `undefined` if none is. */
  verified: string | undefined;
}

/** The rows of a list of facts: who makes an app, what of it is proved, and where to ask. */
export const IdentityFacts = ({ app, language }: { app: ShownIdentity; language: Language }) => {
  const { consent, partners } = messagesFor(language);
  const { verified, notVerified } = consent.agent;
  const t = partners.form;
  return (
    <>
      <dt>{t.publisher}</dt>
      <dd>
        <UntrustedName name={app.publisher} />
        {app.site_url === null && <Tag text={notVerified} />}
      </dd>
      {app.site_url !== null && (
        <>
          <dt>{t.site}</dt>
          <dd>
            <Outside href={app.site_url} text={new URL(app.site_url).host} />
            <Tag text={app.verified === undefined ? notVerified : verified} />
          </dd>
        </>
      )}
      {app.support !== null && (
        <>
          <dt>{t.support}</dt>
          <dd>
            {app.support.includes('://') ? (
              <Outside href={app.support} text={new URL(app.support).host} />
            ) : (
              <MailLink address={app.support} />
            )}
          </dd>
        </>
      )}
      {app.privacy_url !== null && (
        <>
          <dt>{t.privacy}</dt>
          <dd>
            <Outside href={app.privacy_url} text={new URL(app.privacy_url).host} />
          </dd>
        </>
      )}
    </>
  );
};

const Tag = ({ text }: { text: string }) => (
  <>
    {' '}
    <span class="tag">{text}</span>
  </>
);

/** An e-mail address, which ends a line behind its `@` if it must. */
const MailLink = ({ address }: { address: string }) => {
  const at = address.indexOf('@') + 1;
  return (
    <a href={`mailto:${address}`}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </a>
  );
};

/** A page elsewhere. It opens beside this one and gets no address of it. */
const Outside = ({ href, text }: { href: string; text: string }) => (
  <a href={href} target="_blank" rel="noopener noreferrer" class="host">
    {text}
  </a>
);
