/** Puts a button above every `figure.code` that copies what stands in it. */
export const copyScript = `
for (const figure of document.querySelectorAll('figure.code')) {
  const code = figure.querySelector('code');
  const caption = figure.querySelector('figcaption');
  if (!code || !caption || !navigator.clipboard) continue;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy ' + caption.textContent);
  const said = document.createElement('span');
  said.className = 'visually-hidden';
  said.setAttribute('role', 'status');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'Copied';
      said.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, 2000);
  });
  caption.append(button, said);
}
`.trim();
