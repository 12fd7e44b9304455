/**
 * Drops a click on a button with `data-settle` that comes within half a second of the page getting the focus:
 * it was meant for something that lay above.
 */
export const settleScript = `
let since = performance.now();
const restart = () => { since = performance.now(); };
addEventListener('focus', restart);
addEventListener('pageshow', restart);
document.addEventListener('visibilitychange', restart);
document.addEventListener('submit', (event) => {
  if (event.submitter?.hasAttribute('data-settle') && performance.now() - since < 500) {
    event.preventDefault();
  }
});
`.trim();
