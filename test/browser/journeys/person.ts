import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, vi } from 'vitest';
import { joinHyphens } from '../../../src/web/texts/messages.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';
import { patience } from '../../support/patience.ts';
import { hasChromium, launchChromium } from '../chromium.ts';
import { installClock } from '../click-guard.ts';

/**
 * The demo and the browser of a file's tests: opened before the first of them, and closed after the
 * last.
 */
export function openDemo(options?: Parameters<typeof startDemo>[0]) {
  const opened = {} as { demo: RunningDemo; browser: Browser };
  beforeAll(async () => {
    if (!hasChromium) return;
    opened.demo = await startDemo(options);
    opened.browser = await launchChromium();
  });
  afterAll(async () => {
    await opened.browser?.close();
    await opened.demo?.close();
  });
  return opened;
}

/** A mail as `/demo/mail.json` lists it. */
interface Mail {
  to: string;
  subject: string;
  text: string;
  kind: string;
}

/** A user at a browser of their own, who finds everything by its label. */
export class Person {
  readonly page: Page;
  readonly origin: string;
  /** The second factor, once it is set up. */
  #totp: TOTP | undefined;

  private constructor(page: Page, origin: string) {
    this.page = page;
    this.origin = origin;
  }

  static async arrive(browser: Browser, { origin }: Pick<RunningDemo, 'origin'>) {
    const context = await browser.newContext({ locale: 'en-US' });
    context.setDefaultTimeout(patience.timeout);
    const page = await context.newPage();
    await installClock(page);
    return new Person(page, origin);
  }

  open(path: string) {
    return this.page.goto(this.origin + path);
  }

  /** The path of the present page. */
  get path() {
    return new URL(this.page.url()).pathname;
  }

  // Texts are given as they are written: pages join the hyphens of some words.

  /** Fills fields, named by their labels. */
  async enter(fields: Readonly<Record<string, string>>) {
    for (const [label, value] of Object.entries(fields)) {
      await this.page.getByLabel(joinHyphens(label), { exact: true }).fill(value);
    }
  }

  async press(button: string) {
    await this.page.getByRole('button', { name: joinHyphens(button), exact: true }).click();
  }

  async follow(link: string) {
    await this.page
      .getByRole('link', { name: joinHyphens(link) })
      .first()
      .click();
  }

  /** Waits until the page has a heading. */
  async expectHeading(heading: string) {
    const found = this.page.getByRole('heading', { name: joinHyphens(heading) }).first();
    await found.waitFor().catch(async () => {
      throw new Error(
        `No heading "${heading}" on ${this.page.url()}: ${await this.page.locator('main').innerText()}`,
      );
    });
  }

  /** Waits until the page has a text. */
  async expectText(text: string | RegExp) {
    await this.page
      .getByText(typeof text === 'string' ? joinHyphens(text) : text)
      .first()
      .waitFor();
  }

  /** Sets up the second factor on the page for it, and keeps the secret as an app would. */
  async setUpSecondFactor() {
    await this.expectHeading('Set up two-step sign-in');
    const secret = await this.page.locator('code').first().innerText();
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(/\s/g, '')) });
    await this.enter({ 'Code of the app': this.#totp.generate() });
    await this.press('Switch it on');
    await this.expectHeading('Your recovery codes');
    const text = await this.page.locator('main code').innerText();
    const codes = text.trim().split('\n');
    return codes;
  }

  /** The code that the authenticator app shows so many steps of 30 seconds from now. */
  code(steps = 0): string {
    return this.#totp?.generate({ timestamp: Date.now() + steps * 30_000 }) ?? '';
  }

  async signIn(email: string, password: string) {
    await this.open('/session');
    await this.enter({ 'E-mail address': email, Password: password });
    await this.press('Sign in');
  }

  /** All mails to an address, newest first, once there is one of the kind. */
  async mail(to: string, kind: string): Promise<Mail> {
    return vi.waitUntil(async () => {
      const response = await fetch(`${this.origin}/demo/mail.json?to=${encodeURIComponent(to)}`);
      const mails = (await response.json()) as Mail[];
      return mails.find((mail) => mail.kind === kind);
    }, patience);
  }

  /** Opens the link of the latest mail of a kind. */
  async openMail(to: string, kind: string) {
    const { text } = await this.mail(to, kind);
    const [link] = /http\S+/.exec(text) ?? [];
    if (!link?.startsWith(this.origin)) throw new Error(`No link to this service: ${text}`);
    await this.page.goto(link);
  }
}
