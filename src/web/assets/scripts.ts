/**
 * Adds a copy button to every `figure.code`. Its texts are in English unless the figure has `data-copy`,
 * `data-copied` and `data-not-copied`.
 */
export const copyButtonSource = `
for (const figure of document.querySelectorAll('figure.code')) {
  const code = figure.querySelector('code');
  const caption = figure.querySelector('figcaption');
  if (!code || !caption || !navigator.clipboard) continue;
  const { copy = 'Copy', copied = 'Copied', notCopied = 'Not copied' } = figure.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  const name = caption.textContent;
  const show = (text) => {
    button.textContent = text;
    button.setAttribute('aria-label', text + ': ' + name);
  };
  show(copy);
  const status = document.createElement('span');
  status.className = 'visually-hidden';
  status.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      show(copied);
      status.textContent = copied;
    } catch {
      show(notCopied);
    }
    setTimeout(() => {
      show(copy);
      status.textContent = '';
    }, 2000);
  });
  caption.append(button, status);
}
`.trim();

/**
 * Ignores a click on a button with `data-settle` within half a second after the page received the focus. Such a
 * click may have been aimed at a window above the page (clickjacking).
 */
export const clickGuardSource = `
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
