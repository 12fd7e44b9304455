/**
 * Puts a button above every `figure.code` that copies what stands in it. What it says is English, or what the
 * figure has as `data-copy`, `data-copied` and `data-not-copied`.
 */
export const copyScript = `
for (const figure of document.querySelectorAll('figure.code')) {
  const code = figure.querySelector('code');
  const caption = figure.querySelector('figcaption');
  if (!code || !caption || !navigator.clipboard) continue;
  const { copy = 'Copy', copied = 'Copied', notCopied = 'Not copied' } = figure.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = copy;
  button.setAttribute('aria-label', copy + ' ' + caption.textContent);
  const said = document.createElement('span');
  said.className = 'visually-hidden';
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = copied;
      said.textContent = copied;
    } catch {
      button.textContent = notCopied;
    }
    setTimeout(() => {
      button.textContent = copy;
      said.textContent = '';
    }, 2000);
  });
  caption.append(button, said);
}
`.trim();
