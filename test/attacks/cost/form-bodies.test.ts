import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { randomBase64url } from '../../../src/base/crypto/random.ts';
import { listedForms } from '../../support/api/limits-table.ts';
import { Browser, tokenFor } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

const chunkBytes = 8_192;

/** A body without end, in pieces behind its start, that counts what was read of it. */
function endlessForm(chunk: string, start = chunk) {
  const read = { bytes: 0 };
  const encode = (text: string) => new TextEncoder().encode(text);
  const piece = encode(chunk.repeat(Math.ceil(chunkBytes / chunk.length)));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = read.bytes === 0 ? encode(start) : piece;
      read.bytes += next.length;
      controller.enqueue(next);
    },
  });
  return { body, read };
}

const emptyPart = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n';

/** The part of a form with its token. */
const tokenPart = async (browser: Browser, path: string) =>
  emptyPart.replace('"a"', '"form_token"').replace(/\r\n$/, `${await tokenFor(browser, path)}\r\n`);

/** Forms as text and in parts, whose token never comes. */
const kinds = [
  ['application/x-www-form-urlencoded', 'a=&'],
  ['multipart/form-data; boundary=x', emptyPart],
] as const;

const fromPage = { 'Sec-Fetch-Site': 'same-origin', Origin: 'null' };

/** What waits in the stream before anybody reads. */
const waiting = 2 * chunkBytes;

/** Sends such forms to a path; returns the most bytes that were read of one, and the statuses. */
async function readOf(browser: Browser, path: string) {
  let bytes = 0;
  const statuses: number[] = [];
  for (const [type, chunk] of kinds) {
    const { body, read } = endlessForm(chunk);
    const headers = { ...fromPage, 'Content-Type': type };
    statuses.push((await browser.send('POST', path, { headers, body })).status);
    bytes = Math.max(bytes, read.bytes);
  }
  return { bytes, statuses };
}

/** The path of a form in a store. */
const inStore = (path: string, alias: string) =>
  path.replace(':alias', alias).replaceAll(/:\w+/g, '1');

/** A browser with a cookie that no user is signed in with. */
function knownBrowser() {
  const browser = new Browser();
  browser.cookies.set('__Host-session', randomBase64url(32));
  return browser;
}

const ofUsers = listedForms.filter(({ sender }) => sender !== 'everyone');
const ofEveryone = listedForms.filter(({ sender }) => sender === 'everyone');

describe('the body of a form', () => {
  it('attack: is not read for a stranger, by any form', async () => {
    expect(listedForms.length).toBeGreaterThan(100);
    for (const { path } of listedForms) {
      const { bytes, statuses } = await readOf(new Browser(), inStore(path, 'a'));
      expect([path, bytes <= waiting]).toEqual([path, true]);
      for (const status of statuses) expect([303, 403, 404, 415], path).toContain(status);
    }
  });

  it('attack: is read to 16 KiB for a cookie without a session, by any form of users', async () => {
    for (const { path } of ofUsers) {
      const { bytes, statuses } = await readOf(knownBrowser(), inStore(path, 'a'));
      expect([path, bytes <= 16_384 + waiting]).toEqual([path, true]);
      for (const status of statuses) expect([303, 415], path).toContain(status);
    }
  });

  it('attack: is read to 32 KiB until its token is known, by any form', async () => {
    const { alias, userId } = await createTestStore();
    const member = await new Browser().signIn(userId);
    for (const [browser, forms] of [
      [knownBrowser(), ofEveryone],
      [member, ofUsers],
    ] as const) {
      for (const { path } of forms) {
        const { bytes, statuses } = await readOf(browser, inStore(path, alias));
        expect([path, bytes <= 32_768 + 2 * waiting]).toEqual([path, true]);
        for (const status of statuses) expect([303, 403, 404, 413, 415], path).toContain(status);
      }
    }
  });

  it('attack: is read to 32 KiB for a user of another store, although the token is right', async () => {
    const [{ alias }, { userId }] = [await createTestStore(), await createTestStore()];
    const browser = await new Browser().signIn(userId);
    const path = `/account/stores/${alias}/imports`;
    const { body, read } = endlessForm(emptyPart, await tokenPart(browser, path));
    const headers = { ...fromPage, 'Content-Type': 'multipart/form-data; boundary=x' };
    expect((await browser.send('POST', path, { headers, body })).status).toBe(404);
    expect(read.bytes).toBeLessThanOrEqual(32_768 + 2 * waiting);
  });

  it('attack: of 100,000 empty parts is refused by its bytes (413), also behind a token', async () => {
    const parse = vi.spyOn(Response.prototype, 'formData');
    onTestFinished(() => parse.mockRestore());
    const { alias, userId } = await createTestStore();
    const browser = await new Browser().signIn(userId);
    const path = `/account/stores/${alias}/imports`;
    const token = await tokenPart(browser, path);
    const send = (parts: number) =>
      browser.send('POST', path, {
        headers: { ...fromPage, 'Content-Type': 'multipart/form-data; boundary="x"' },
        body: `${token}${emptyPart.repeat(parts)}--x--\r\n`,
      });
    expect((await send(100_000)).status).toBe(413);
    expect(parse).toHaveBeenCalledTimes(0);
    // It has no file.
    expect((await send(900)).status).toBe(422);
    expect(parse).toHaveBeenCalledTimes(1);
  });

  it('attack: counts by the boundary that it is parsed with', async () => {
    const { alias, userId } = await createTestStore();
    const browser = await new Browser().signIn(userId);
    const path = `/account/stores/${alias}/imports`;
    const token = await tokenPart(browser, path);
    for (const type of [
      'boundary=y; boundary=x',
      'boundary=x; boundary=y',
      'boundary="y\\"; boundary=x',
      'Boundary=x',
      'a="boundary=y"; boundary=x',
      '',
    ]) {
      const { status } = await browser.send('POST', path, {
        headers: { ...fromPage, 'Content-Type': `multipart/form-data; ${type}` },
        body: `${token}${emptyPart.repeat(100_000)}--x--\r\n`,
      });
      expect([400, 403, 413], type).toContain(status);
    }
  });
});
