import { describe, expect, it } from 'vitest';
import { hasChromium } from '../chromium.ts';
import { openDemo, Person } from './person.ts';

const setupToken = 'a-set-up-token-of-this-test-only-1234567890';
const password = 'three words and more';
const opened = openDemo({ setupToken });

/** Asks a page of a store for its status, as this person. */
async function statusOf(person: Person, path: string) {
  const response = await person.page.request.get(person.origin + path, { maxRedirects: 0 });
  return response.status();
}

describe.skipIf(!hasChromium)('from an empty service', () => {
  it('leads from the set-up link to a store with an owner, a viewer, a key and a webhook', async () => {
    const olga = await Person.arrive(opened.browser, opened.demo);
    await olga.open(`/setup?token=${setupToken}`);
    await olga.expectHeading('Set up this service');
    await olga.enter({
      'Your name': 'Olga Prado',
      'E-mail address': 'olga@loja.test',
      Password: password,
      'Password again': password,
    });
    await olga.press('Create the operator');
    expect(new Set(await olga.setUpSecondFactor()).size).toBe(10);
    expect(await statusOf(olga, `/setup?token=${setupToken}`)).toBe(404);

    await olga.open('/operator/stores/new');
    await olga.enter({
      Alias: 'nova',
      Name: 'Loja Nova',
      'E-mail address of the owner': 'maria@loja.test',
      Reason: 'Signed the contract',
    });
    await olga.press('Create a store');
    await olga.expectHeading('Loja Nova');

    const maria = await Person.arrive(opened.browser, opened.demo);
    await maria.openMail('maria@loja.test', 'invitation');
    await maria.enter({
      'Your name': 'Maria Lima',
      Password: password,
      'Password again': password,
    });
    await maria.press('Accept the invitation');
    await maria.open('/account/security');
    await maria.follow('Set up two-step sign-in');
    const [recoveryCode = ''] = await maria.setUpSecondFactor();
    await maria.mail('maria@loja.test', 'second_factor_changed');

    await maria.open('/account/stores/nova/members/invite');
    await maria.enter({ 'E-mail address': 'caio@loja.test' });
    await maria.page.getByLabel('Viewer').check();
    await maria.press('Send the invitation');
    await maria.expectText('The invitation is on its way.');

    const caio = await Person.arrive(opened.browser, opened.demo);
    await caio.openMail('caio@loja.test', 'invitation');
    await caio.expectText('Maria Lima');
    await caio.enter({ 'Your name': 'Caio Reis', Password: password, 'Password again': password });
    await caio.press('Accept the invitation');
    await caio.open('/account/stores/nova');
    await caio.expectHeading('Loja Nova');
    expect(await caio.page.locator('main form').count()).toBe(0);
    expect(await statusOf(caio, '/account/webhooks/nova/new')).toBe(403);
    expect(await statusOf(caio, '/account/stores/nova/members/invite')).toBe(403);

    await maria.open('/account/keys/new');
    await maria.enter({ Name: 'Catalogue reader' });
    await maria.page.getByLabel('Only the stores that I tick').check();
    await maria.page.getByLabel('Loja Nova').check();
    await maria.page.getByLabel('Only what I choose here').check();
    await maria.page.getByLabel('Catalogue', { exact: true }).selectOption('Read');
    await maria.page.getByLabel('30 days').check();
    await maria.press('Create an API key');
    await maria.expectHeading('Your new API key');
    const [token = '', secret = ''] = await maria.page.locator('main code').allInnerTexts();
    const headers = { 'User-Token': token, 'User-Secret-Key': secret };
    const call = (method: string, path: string, body?: unknown) =>
      fetch(`${opened.demo.origin}/v2/nova${path}`, {
        method,
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
    expect((await call('GET', '/catalog/products')).status).toBe(200);
    const refused = await call('POST', '/catalog/brands', { name: 'Sol', active: true });
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('catalog.write'),
    ]);

    await maria.open('/account/webhooks/nova/new');
    await maria.enter({ Name: 'ERP', Address: `${opened.demo.origin}/demo/inbox` });
    await maria.page.getByLabel('product.created').check();
    await maria.press('Create a webhook');
    await maria.expectHeading('Your signing secret');
    await maria.follow('I have saved it');
    await maria.follow('Edit');
    await maria.enter({ Name: 'ERP of the shop' });
    await maria.press('Save changes');
    await maria.expectHeading('ERP of the shop');

    await maria.open('/account/stores/nova/members');
    await maria.follow('Change the role of Caio Reis');
    await maria.follow('Remove from the store');
    await maria.press('Remove');
    await maria.expectText('The member is removed.');
    expect(await statusOf(caio, '/account/stores/nova')).toBe(404);
    await caio.mail('caio@loja.test', 'you_were_removed');

    // A recovery code replaces the phone, once.
    const elsewhere = await Person.arrive(opened.browser, opened.demo);
    for (const outcome of ['Your account', 'Enter your code']) {
      await elsewhere.page.context().clearCookies();
      await elsewhere.signIn('maria@loja.test', password);
      await elsewhere.expectHeading('Enter your code');
      await elsewhere.enter({ Code: recoveryCode });
      await elsewhere.press('Sign in');
      await elsewhere.expectHeading(outcome);
    }
  });
});
