import { describe, expect, it } from 'vitest';
import { patience } from '../../support/patience.ts';
import { hasChromium } from '../chromium.ts';
import { passClickGuard } from '../click-guard.ts';
import { openDemo, Person } from './person.ts';

const opened = openDemo();

describe.skipIf(!hasChromium)('a forgotten password', () => {
  it('is replaced by the link of a mail, once, and ends all sessions', async () => {
    const elsewhere = await Person.arrive(opened.browser, opened.demo);
    await elsewhere.signIn('ana@demo.test', 'demo-password-ana');
    await elsewhere.expectHeading('Your account');

    const ana = await Person.arrive(opened.browser, opened.demo);
    await ana.open('/session');
    await ana.follow('Forgotten your password?');
    await ana.enter({ 'E-mail address': 'Ana@Demo.Test' });
    await ana.press('Send the link');
    await ana.expectHeading('Check your inbox');
    await ana.openMail('ana@demo.test', 'password_reset');
    const link = ana.page.url();
    const password = 'a new one of four words';
    await ana.enter({ Password: password, 'Password again': password });
    await ana.press('Save the password');
    await ana.expectText('Your new password is saved.');
    await ana.mail('ana@demo.test', 'password_changed');

    await ana.page.goto(link);
    await ana.expectHeading('This link no longer works');
    await elsewhere.open('/account');
    await elsewhere.expectHeading('Sign in');
    await elsewhere.signIn('ana@demo.test', 'demo-password-ana');
    await elsewhere.expectText('The e-mail address or the password is wrong.');
    await ana.signIn('ana@demo.test', password);
    await ana.expectHeading('Your account');
    expect(ana.path).toBe('/account');
  });

  it('of an unknown address looks the same, and sends nothing', async () => {
    const stranger = await Person.arrive(opened.browser, opened.demo);
    await stranger.open('/password/forgotten');
    await stranger.enter({ 'E-mail address': 'nobody@demo.test' });
    await stranger.press('Send the link');
    await stranger.expectHeading('Check your inbox');
    const response = await fetch(`${opened.demo.origin}/demo/mail.json?to=nobody@demo.test`);
    expect(await response.json()).toEqual([]);
  });
});

describe.skipIf(!hasChromium)('a partner', () => {
  it('signs up, creates a test store and an app, connects it, and advances the clock to cart.reminder', async () => {
    const rui = await Person.arrive(opened.browser, opened.demo);
    await rui.open('/session');
    await rui.follow('Create an account');
    await rui.enter({ 'E-mail address': 'rui@partner.test' });
    await rui.press('Send the link');
    await rui.openMail('rui@partner.test', 'sign_up');
    const password = 'four words of a partner';
    await rui.enter({ 'Your name': 'Rui Faria', Password: password, 'Password again': password });
    await rui.press('Create the account');
    await rui.expectHeading('Partner apps');

    await rui.open('/partners/test-stores/new');
    await rui.enter({ 'Name of the store': 'Bancada do Rui' });
    await rui.press('Create a test store');
    await rui.expectHeading('Bancada do Rui');
    const testStore = rui.path;
    const alias = testStore.split('/').at(-1) ?? '';
    const isFilled = async () => {
      await rui.open(testStore);
      return (await rui.page.getByText('Ready').count()) > 0;
    };
    await expect.poll(isFilled, patience).toBe(true);

    await rui.open('/partners/new');
    await rui.enter({ 'Name of the app': 'Lembretes', Publisher: 'Rui Faria' });
    await rui.page.getByLabel('Redirect URIs').fill('https://partner.example/callback');
    await rui.page.getByLabel('Only what I choose here').check();
    for (const [area, power] of [
      ['carts', 'write'],
      ['catalog', 'read'],
      ['customers', 'read'],
      ['webhooks', 'write'],
    ] as const) {
      await rui.page.locator(`[name=area_${area}]`).selectOption(power);
    }
    await rui.press('Register an app');
    await rui.expectHeading('Lembretes');
    const app = rui.path;
    await rui.open(`${app}/try`);
    await rui.page.getByLabel('Bancada do Rui').check();
    await rui.press('Start');
    await rui.expectHeading('Connect Lembretes?');
    await passClickGuard(rui.page);
    await rui.press('Approve');
    await rui.expectHeading('The app is connected');
    const shown = await rui.page.locator('main').innerText();
    const clientId = app.split('/').at(-1) ?? '';
    const token = /"access_token": "([^"]+)"/.exec(shown)?.[1] ?? '';
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${opened.demo.origin}/v2/${alias}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          'X-Partner-Client-ID': clientId,
          'Content-Type': 'application/json',
        },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const text = await response.text();
      expect(response.status, text).toBeLessThan(300);
      return JSON.parse(text);
    };
    const { data: products } = await call('GET', '/catalog/products?include=skus&limit=1');
    const [product] = products;
    await call('POST', '/webhooks', {
      url: `${opened.demo.origin}/demo/inbox`,
      name: 'Reminders',
      events: ['cart.reminder'],
    });
    const skuId = product.skus.data[0].id;
    await call('POST', '/checkout/carts', {
      tracking_data: { name: 'Lia', email: 'lia@example.com' },
      items: [{ sku_id: skuId, quantity: 1 }],
    });

    await rui.open(testStore);
    await rui.press('1 day');
    await rui.expectText('The clock was advanced.');
    const events = async () => (await call('GET', '/events?event=cart.reminder')).data;
    await expect.poll(events, patience).toHaveLength(1);
  });
});
