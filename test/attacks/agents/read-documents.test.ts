import { expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { agentDocument, newDocumentId, serveDocuments } from '../../support/oauth/agents.ts';
import { authorizeUrl } from '../../support/oauth/consent.ts';

it('attack: a user who opens 20 pages has an address read once, whether or not a document is there', async () => {
  const { userId } = await createTestStore();
  const browser = await new Browser().signIn(userId);
  const [id, missing] = [newDocumentId(), newDocumentId()];
  using network = serveDocuments({
    [id]: () =>
      Response.json(agentDocument(id), { headers: { 'Cache-Control': 'no-store, max-age=0' } }),
  });
  const redirect_uri = `https://${new URL(id).hostname}/callback`;
  for (let page = 0; page < 20; page += 1) {
    const url = authorizeUrl({ client_id: id }, { redirect_uri, state: `s${page}` });
    expect((await browser.get(url)).status).toBe(200);
    const absent = authorizeUrl({ client_id: missing }, { redirect_uri, state: `s${page}` });
    expect((await browser.get(absent)).status).toBe(400);
  }
  expect(network.requests.map(({ url }) => url)).toEqual([id, missing]);
});
