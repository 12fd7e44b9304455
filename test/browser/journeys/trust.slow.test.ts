import { describe, expect, it, vi } from 'vitest';
import { authorizeLink } from '../../support/node/oauth/link.ts';
import { patience } from '../../support/patience.ts';
import { hasChromium } from '../chromium.ts';
import { openDemo, Person } from './person.ts';

const opened = openDemo();

describe.skipIf(!hasChromium)('an account that a thief of its password took over', () => {
  it('is taken back by its owner alone, with the link of the mail to the old address', async () => {
    const [email, password] = ['bruno@demo.test', 'demo-password-bruno'];
    const owner = await Person.arrive(opened.browser, opened.demo);
    await owner.signIn(email, password);
    await owner.expectHeading('Your account');

    const thief = await Person.arrive(opened.browser, opened.demo);
    await thief.signIn(email, password);
    await thief.open('/account/profile/e-mail');
    await thief.enter({ 'New e-mail address': 'bruno@thief.test' });
    await thief.press('Send the link');
    await thief.openMail('bruno@thief.test', 'email_confirmation');
    await thief.press('Use this address');
    await thief.expectHeading('Your new address is in use');
    await thief.open('/account/security/second-factor');
    await thief.setUpSecondFactor();
    await thief.open('/account/keys/new');
    await thief.enter({ Name: 'Back door' });
    await thief.press('Create an API key');
    await thief.expectHeading('Your new API key');
    const [token = '', secret = ''] = await thief.page.locator('main code').allInnerTexts();
    const askByKey = async () => {
      const headers = { 'User-Token': token, 'User-Secret-Key': secret };
      const response = await fetch(`${opened.demo.origin}/v2/auth/me`, { method: 'POST', headers });
      return response.status;
    };
    expect(await askByKey()).toBe(200);

    // The owner has neither a session, nor the address, nor a code.
    await owner.open('/account');
    await owner.expectHeading('Sign in');
    await owner.signIn(email, password);
    await owner.expectText('The e-mail address or the password is wrong.');
    await owner.openMail(email, 'email_changed');
    await owner.press('Take the change back');
    await owner.expectHeading('Your address is back');
    await owner.follow('Choose a new password');
    const fresh = 'a new one of four words';
    await owner.enter({ Password: fresh, 'Password again': fresh });
    await owner.press('Save the password');
    await owner.signIn(email, fresh);
    await owner.expectHeading('Your account');
    await owner.open('/account/security');
    await owner.expectText('Set up two-step sign-in');
    await owner.open('/account/keys');
    expect(await owner.page.getByText('Back door').count()).toBe(0);

    await thief.open('/account');
    await thief.expectHeading('Sign in');
    for (const address of [email, 'bruno@thief.test']) {
      await thief.signIn(address, password);
      await thief.expectText('The e-mail address or the password is wrong.');
    }
    expect(await askByKey()).toBe(401);
  });
});

describe.skipIf(!hasChromium)('an account whose thief gave to others what they could', () => {
  it('is taken back whole: what was given ends, what remains is listed, and the mail goes to its owner', async () => {
    const [email, thiefs] = ['paula@demo.test', 'paula@thief.test'];
    const password = 'demo-password-paula';
    const thief = await Person.arrive(opened.browser, opened.demo);
    await thief.signIn(email, password);
    await thief.open('/account/profile/e-mail');
    await thief.enter({ 'New e-mail address': thiefs });
    await thief.press('Send the link');
    await thief.openMail(thiefs, 'email_confirmation');
    await thief.press('Use this address');

    await thief.open('/account/stores/bancada/members/invite');
    await thief.enter({ 'E-mail address': 'mallory@thief.test' });
    await thief.page.getByLabel('Manager').check();
    await thief.press('Send the invitation');
    const accomplice = await Person.arrive(opened.browser, opened.demo);
    await accomplice.openMail('mallory@thief.test', 'invitation');
    const own = 'four words of a thief';
    await accomplice.enter({ 'Your name': 'Mallory', Password: own, 'Password again': own });
    await accomplice.press('Accept the invitation');
    await accomplice.open('/account/stores/bancada');
    await accomplice.expectHeading('Bancada');
    for (const [person, name] of [
      [thief, 'Siphon'],
      [accomplice, 'Second siphon'],
    ] as const) {
      await person.open('/account/webhooks/bancada/new');
      await person.page.locator('[name=name]').fill(name);
      await person.page.locator('[name=url]').fill(`${opened.demo.origin}/demo/inbox`);
      await person.page.locator('[name=events][value="order.paid"]').check();
      await person.page.locator('main form button').first().click();
      await person.expectText(name);
    }
    const theirUri = 'https://thief.example/callback';
    await thief.open('/partners/catalog-app/edit');
    const uris = thief.page.getByLabel('Redirect URIs');
    const before = await uris.inputValue();
    await uris.fill(`${before}\n${theirUri}`);
    await thief.page.locator('main form button').first().click();
    await thief.page.waitForURL((url) => url.pathname === '/partners/catalog-app');
    await thief.open('/account/keys/new');
    await thief.enter({ Name: 'Back door' });
    await thief.press('Create an API key');
    await thief.expectHeading('Your new API key');
    const [token = '', secret = ''] = await thief.page.locator('main code').allInnerTexts();
    const headers = { 'User-Token': token, 'User-Secret-Key': secret };
    const askByKey = async () =>
      (await fetch(`${opened.demo.origin}/v2/bancada/catalog/brands`, { headers })).status;
    expect(await askByKey()).toBe(200);
    await thief.open('/account/stores/bancada/edit');
    await thief.enter({ 'Name of the store': 'Mine' });
    await thief.press('Save');
    await thief.expectHeading('Mine');

    const owner = await Person.arrive(opened.browser, opened.demo);
    await owner.openMail(email, 'email_changed');
    await owner.press('Take the change back');
    await owner.expectHeading('Your address is back');
    const list = (await owner.page.locator('main li').allInnerTexts()).map((line) =>
      line.replaceAll('\u2011', '-'),
    );
    expect(list.toSorted()).toEqual([
      'Ended or put back: Changed the app Vitrine Pronta',
      'Ended or put back: Created the API key Back door',
      'Ended or put back: Created webhook Second siphon (bancada)',
      'Ended or put back: Created webhook Siphon (bancada)',
      'Ended or put back: Invited mallory@thief.test (bancada)',
      'Remains: Changed the store (bancada)',
    ]);
    await owner.follow('Choose a new password');
    const fresh = 'a new one of five words';
    await owner.enter({ Password: fresh, 'Password again': fresh });
    await owner.press('Save the password');

    const { text } = await owner.mail(email, 'email_change_undone');
    expect(text).toContain('Remains: Changed the store (bancada)');
    const toThief = await fetch(`${opened.demo.origin}/demo/mail.json?to=${thiefs}`);
    expect(await toThief.text()).not.toContain('email_change_undone');
    await accomplice.open('/account/stores/bancada');
    await accomplice.expectHeading('There is no such page');
    expect(await askByKey()).toBe(401);
    const request = authorizeLink({ client_id: 'catalog-app', redirect_uri: theirUri });
    expect((await owner.page.request.get(opened.demo.origin + request)).status()).toBe(400);
    await owner.signIn(email, fresh);
    await owner.expectHeading('Your account');
    await owner.open('/partners/catalog-app/edit');
    expect(await owner.page.getByLabel('Redirect URIs').inputValue()).toBe(before);
    // The shards follow with the sweep of the next minute.
    await opened.demo.triggerCron();
    await vi.waitUntil(async () => {
      await owner.open('/account/webhooks');
      return (await owner.page.getByText('Paused').count()) >= 2;
    }, patience);
  });
});

describe.skipIf(!hasChromium)('a user who lost phone and recovery codes', () => {
  it('keeps the factor by the link of the mail, or gets in again a day later with an operator’s help', async () => {
    const [email, password] = ['ana@demo.test', 'demo-password-ana'];
    const ana = await Person.arrive(opened.browser, opened.demo);
    await ana.signIn(email, password);
    await ana.open('/account/security/second-factor');
    await ana.setUpSecondFactor();

    const olga = await Person.arrive(opened.browser, opened.demo);
    await olga.signIn('olga@demo.test', 'demo-password-olga');
    /** Olga asks for the removal on the page of the user. */
    const askForRemoval = async () => {
      await olga.open('/operator/users?search=ana');
      await olga.follow('Ana');
      await olga.follow('Remove two-step sign-in');
      await olga.enter({ Reason: 'Ana lost her phone, and called.' });
      await olga.press('Remove two-step sign-in');
      await olga.expectText('Two-step sign-in ends in 24 hours');
    };
    /** A day passes, for the job that waits. */
    const passDay = async () => {
      await opened.demo.env.DIRECTORY.prepare(
        "update jobs set due_at = 1 where kind = 'second_factor_removal' and finished_at is null",
      ).run();
      await opened.demo.triggerCron();
    };

    await askForRemoval();
    const { text } = await ana.mail(email, 'second_factor_removal');
    expect(text).toContain('Ana lost her phone, and called.');
    const elsewhere = await Person.arrive(opened.browser, opened.demo);
    await elsewhere.openMail(email, 'second_factor_removal');
    await elsewhere.press('Keep two-step sign-in');
    await elsewhere.expectHeading('Two-step sign-in stays on');
    const states = await opened.demo.env.DIRECTORY.prepare(
      "select state, due_at from jobs where kind = 'second_factor_removal'",
    ).all();
    expect(states.results).toEqual([{ state: 'cancelled', due_at: null }]);
    await elsewhere.signIn(email, password);
    await elsewhere.expectHeading('Enter your code');
    await ana.open('/account/security');
    await ana.expectText('Switch two-step sign-in off');

    // This time she has lost it.
    await askForRemoval();
    await passDay();
    await vi.waitUntil(async () => {
      await ana.open('/account');
      return (await ana.page.getByRole('heading', { name: 'Sign in' }).count()) === 1;
    }, patience);
    await elsewhere.signIn(email, password);
    await elsewhere.expectHeading('Your account');
    await elsewhere.open('/account/security');
    await elsewhere.expectText('Set up two-step sign-in');
  });
});
