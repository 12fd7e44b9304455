import { describe, expect, it } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { addTestKey } from '../../support/fixtures/keys.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';

interface Entry {
  actor: object;
  action: string;
  changes: object;
  from: object | null;
}

/** A store with an invitation by its owner, and one by an operator; and who did them. */
async function createInvited() {
  const store = await createTestStore();
  const owner = await new Browser().signIn(store.userId);
  const path = `/account/stores/${store.alias}/members/invite`;
  const fields = { ...hiddenFieldsOf(await owner.get(path), path), role: 'viewer' };
  await owner.post(
    path,
    { ...fields, email: 'invited@people.test' },
    {
      'Sec-Fetch-Site': 'same-origin',
      Origin: 'null',
      'CF-IPCountry': 'BR',
      'CF-Connecting-IP': '192.0.2.77',
    },
  );
  const operator = await createTestOperator();
  await operator.api(`POST /operator/stores/${store.id}/members`, {
    email: 'other@people.test',
    role: 'viewer',
  });
  return { store, operator };
}

const readActivity = async (alias: string, headers: Record<string, string>, query = '') => {
  const { status, body } = await callApi(
    'GET',
    `/v2/${alias}/audit?action=member.invited${query}`,
    {
      headers,
    },
  );
  expect(status).toBe(200);
  return (body as { data: Entry[] }).data;
};

describe('the activity of a store', () => {
  it('tells an app and a key with chosen scopes no address of people, and no place of a request', async () => {
    const { store } = await createInvited();
    const { headers } = await connectApp(store, { scopes: ['config.read'] });
    const ofApp = await readActivity(store.alias, headers);
    const limited = await addTestKey(store.userId, { scopes: ['config.read'] });
    const ofKey = await readActivity(store.alias, limited);
    expect(ofApp).toHaveLength(2);
    expect(ofKey).toEqual(ofApp);
    expect(JSON.stringify(ofApp)).not.toMatch(/people\.test|192\.0\.2|"BR"/);
    expect(ofApp.map(({ changes, from }) => [changes, from])).toEqual([
      [{ email: [null, 'changed'], role: [null, 'viewer'] }, null],
      [{ email: [null, 'changed'], role: [null, 'viewer'] }, null],
    ]);
  });

  it('names an operator to no store: neither in the answer, nor by a filter, nor on the page', async () => {
    const { store, operator } = await createInvited();
    const [byOperator, byOwner] = await readActivity(store.alias, store.headers);
    expect(byOperator).toMatchObject({
      actor: { kind: 'operator', id: 'service', name: 'The service' },
      changes: { email: [null, 'other@people.test'] },
      from: null,
    });
    expect(byOwner).toMatchObject({
      actor: { kind: 'user', name: 'Test Owner' },
      changes: { email: [null, 'invited@people.test'] },
      from: { country: 'BR', network: '192.0.2.0/24' },
    });
    const guess = `&actor_kind=operator&actor_id=${operator.userId}`;
    expect(await readActivity(store.alias, store.headers, guess)).toEqual([]);
    const owner = await new Browser().signIn(store.userId);
    const { text } = await owner.get(`/account/stores/${store.alias}/activity`);
    expect(text).toContain('The service');
    expect(text).toContain('other@people.test');
    expect(text).not.toContain(operator.name);
  });

  it('attack: shows a viewer whom others invited neither on the page nor by an API key, and a manager both', async () => {
    const { store } = await createInvited();
    const read = async (role: 'viewer' | 'manager') => {
      const { userId } = await addTestMember(store, role);
      const browser = await new Browser().signIn(userId);
      const { text } = await browser.get(`/account/stores/${store.alias}/activity`);
      const entries = await readActivity(store.alias, await addTestKey(userId));
      return { text, entries: JSON.stringify(entries) };
    };
    const viewer = await read('viewer');
    expect(viewer.text).toContain('E-mail address');
    // The menu shows the viewer's own address, which is of the same domain.
    expect(viewer.text).not.toMatch(/(?:invited|other)@people\.test/);
    expect(viewer.entries).not.toContain('people.test');
    const manager = await read('manager');
    expect(manager.text).toContain('invited@people.test');
    expect(manager.entries).toContain('invited@people.test');
  });
});
