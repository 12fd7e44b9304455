import type { Locator, Page } from 'playwright-core';

/**
 * Gives the pages of a browser context a clock that tests move on (`passClickGuard`). The click
 * guard of the consent page runs by the same clock, so that no test waits for it.
 */
export const installClock = (page: Page) => page.clock.install();

/**
 * Moves the clock of a loaded page past its click guard, which ignores Approve for half a second.
 */
export async function passClickGuard(page: Page) {
  await page.waitForLoadState('load');
  await page.clock.fastForward(600);
}

/**
 * Submits a form by a click, and waits until the answer is loaded: between two documents a page has
 * no elements.
 */
export async function submit(page: Page, button: Locator) {
  await Promise.all([page.waitForEvent('load'), button.click()]);
}
