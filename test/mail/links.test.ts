import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { renderMail } from '../../src/mail/render.tsx';
import { Browser } from '../support/browser/browser.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { linkOrigin, mailExamples } from '../support/mail-examples.ts';

/** Every path that a mail leads to by itself, without a one-use link. */
const paths = new Set(
  mailExamples.flatMap(({ kind, data }) => {
    const mail = { kind, language: 'en', to_address: 'ana@mail.test', to_name: null } as const;
    const settings = { ...settingsOf(env), linkOrigin };
    const html = renderMail(settings, mail, data)?.html ?? '';
    const { link } = data as { link?: string };
    return [...html.matchAll(/href="([^"]+)"/g)]
      .map(([, href = '']) => href)
      .filter((href) => href !== link)
      .map((href) => new URL(href).pathname);
  }),
);

it('every page that a mail leads to exists, for an operator with a store', async () => {
  const own = await createTestStore();
  await env.DIRECTORY.prepare('update users set super_user = 1 where id = ?')
    .bind(own.userId)
    .run();
  const browser = await new Browser().signIn(own.userId);
  const answers = await Promise.all(
    [...paths]
      // The user and the store of an example are these.
      .map((path) =>
        path
          .replace(/(?<=\/operator\/users\/)\d+$/, String(own.userId))
          .replace(/(?<=\/operator\/stores\/)\d+$/, String(own.id)),
      )
      .map(async (path) => [path, (await browser.get(path)).status]),
  );
  expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
  expect(paths.size).toBeGreaterThan(7);
});
