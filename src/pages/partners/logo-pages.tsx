import * as z from 'zod';
import { maxLogoBytes, removeLogo, setLogo } from '../../accounts/partners/app-logo.ts';
import { appPaths } from '../../base/page-paths.ts';
import { AppLogo } from '../../web/components/app-identity.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { fieldIssue } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import { ofApps, requireOwnApp } from './partner-apps.tsx';

const clientId = ':clientId';

/** `/partners/{client id}/logo`: replaces the logo of an app. */
export const logoForm = userForm({
  ...ofApps,
  // Merchants recognize the app by it, and a file is not kept.
  proof: 'toShow',
  path: appPaths.logo(clientId),
  // A larger file gets a sentence; this one ends the reading.
  maxFileBytes: 4 * maxLogoBytes,
  load: requireOwnApp,
  fields: ({ partners: { logo: t } }) =>
    z.object({ file: z.instanceof(File, { error: t.missing }) }).check(({ value, issues }) => {
      if (value.file.size === 0) issues.push(fieldIssue('', t.missing, 'file'));
    }),
  view({ messages, language }, app) {
    const t = messages.partners.logo;
    const parts = { app: <UntrustedName name={app.name} /> };
    return {
      title: t.open,
      heading: <Interpolate text={t.title} parts={parts} />,
      intro: (
        <p>
          <AppLogo app={app} language={language} />
        </p>
      ),
      paragraphs: [t.lead],
      fields: [
        {
          name: 'file',
          label: t.file,
          hint: t.fileHint,
          type: 'file',
          accept: '.png,.jpg,.jpeg,.webp',
        },
      ],
      ...(app.verified_host !== null && { note: t.proof }),
      submit: t.save,
      back: appPaths.app(app.client_id),
      ...(app.logo !== null && {
        links: [{ href: appPaths.logoRemoval(app.client_id), text: t.remove }],
      }),
    };
  },
  async submit(page, { file }) {
    const app = await requireOwnApp(page);
    const fault = await setLogo(page.action, app, new Uint8Array(await file.arrayBuffer()));
    if (fault) return { errors: [{ field: 'file', text: page.messages.partners.logo[fault] }] };
    return page.redirect(`${appPaths.app(app.client_id)}?done=logoSet`);
  },
});

/** `/partners/{client id}/logo/remove`: removes the logo of an app. */
export const logoRemovalForm = confirmation({
  ...ofApps,
  path: appPaths.logoRemoval(clientId),
  async load(page) {
    const app = await requireOwnApp(page);
    return app.logo === null ? page.redirect(appPaths.logo(app.client_id)) : app;
  },
  ask({ messages }, app) {
    const t = messages.partners.logo;
    return {
      question: <Interpolate text={t.confirm} parts={{ app: <UntrustedName name={app.name} /> }} />,
      paragraphs: [t.consequence],
      submit: t.remove,
      back: appPaths.logo(app.client_id),
    };
  },
  async submit(page) {
    const app = await requireOwnApp(page);
    await removeLogo(page.action, app);
    return page.redirect(`${appPaths.app(app.client_id)}?done=logoRemoved`);
  },
});
