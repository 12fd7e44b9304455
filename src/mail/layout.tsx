import { raw } from 'hono/html';
import type { Accent, Brand } from '../base/brand.ts';
import type { Language } from '../base/languages.ts';

/** A mail as blocks, from which text and HTML are rendered. */
export interface MailContent {
  language: Language;
  subject: string;
  greeting: string;
  body: readonly string[];
  button: { label: string; href: string } | undefined;
  openAddress: string;
  reason: string;
  preferences: { label: string; href: string } | undefined;
  brand: Pick<Brand, 'name' | 'accent' | 'supportAddress'>;
  support: string | undefined;
}

/** The colours of the style sheet of the pages. */
const standardAccent: Accent = {
  light: '#0b57d0',
  onLight: '#ffffff',
  dark: '#8ab4f8',
  onDark: '#0b1a33',
};

/** Colours for programs that know dark mode. All else is in `style` attributes, since many programs drop style sheets. */
const darkStyles = ({ dark, onDark }: Accent) => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #14171c !important; }
  .card { background: #1e232b !important; color: #e9edf2 !important; }
  .small { color: #b3bcc8 !important; }
  .link { color: ${dark} !important; }
  .button { background: ${dark} !important; color: ${onDark} !important; }
}`;

const font = 'font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;';
const page = `margin: 0; padding: 24px 12px; background: #f3f5f8; ${font}`;
const card =
  'max-width: 560px; margin: 0 auto; padding: 24px; border-radius: 8px; background: #ffffff; color: #1b1f24; font-size: 16px; line-height: 1.5;';
const heading = 'margin: 0 0 16px; font-size: 22px; line-height: 1.3;';
const paragraph = 'margin: 0 0 16px; overflow-wrap: anywhere;';
const button = ({ light, onLight }: Accent) =>
  `display: inline-block; padding: 12px 20px; border-radius: 6px; background: ${light}; color: ${onLight}; font-weight: 600; text-decoration: none;`;
const small = 'margin: 0 0 12px; color: #55606e; font-size: 14px; overflow-wrap: anywhere;';
const link = ({ light }: Accent) => `color: ${light};`;
const hidden = 'display: none; max-height: 0; overflow: hidden;';

/** A mail as HTML: one column, no images, no resource of another host. */
export const MailDocument = (mail: MailContent) => {
  const accent = mail.brand.accent ?? standardAccent;
  return (
    <html lang={mail.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{mail.subject}</title>
        <style>{raw(darkStyles(accent))}</style>
      </head>
      <body class="page" style={page}>
        <div style={hidden} aria-hidden="true">
          {mail.body[0]}
        </div>
        <main class="card" style={card}>
          <h1 style={heading}>{mail.subject}</h1>
          <p style={paragraph}>{mail.greeting}</p>
          {mail.body.map((text) => (
            <p style={paragraph}>{text}</p>
          ))}
          {mail.button && (
            <MailButton {...mail.button} openAddress={mail.openAddress} accent={accent} />
          )}
          <p class="small" style={small}>
            <strong>{mail.brand.name}</strong>
            <br />
            {mail.reason}
          </p>
          {mail.support !== undefined && (
            <p class="small" style={small}>
              {mail.support}
            </p>
          )}
          {mail.preferences && (
            <p class="small" style={small}>
              <a class="link" style={link(accent)} href={mail.preferences.href}>
                {mail.preferences.label}
              </a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
};

interface MailButtonProps {
  label: string;
  href: string;
  openAddress: string;
  accent: Accent;
}

const MailButton = ({ label, href, openAddress, accent }: MailButtonProps) => (
  <>
    <p style={paragraph}>
      <a class="button" style={button(accent)} href={href}>
        {label}
      </a>
    </p>
    <p class="small" style={small}>
      {openAddress}
      <br />
      <a class="link" style={link(accent)} href={href}>
        {href}
      </a>
    </p>
  </>
);
