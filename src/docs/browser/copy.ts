const texts: Record<string, readonly [copy: string, copied: string, failed: string]> = {
  en: ['Copy', 'Copied', 'Not copied'],
  'pt-BR': ['Copiar', 'Copiado', 'Não copiado'],
  es: ['Copiar', 'Copiado', 'No copiado'],
};

/** Adds a button to every block of code. */
export function enableCopying() {
  const [copy, copied, failed] = texts[document.documentElement.lang] ?? texts.en ?? ['', '', ''];
  for (const figure of document.querySelectorAll('figure.code')) {
    const code = figure.querySelector('code');
    const caption = figure.querySelector('figcaption');
    // Absent where the page is not from a secure origin.
    if (!code || !caption || !('clipboard' in navigator)) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = copy;
    button.setAttribute('aria-label', `${copy}: ${caption.textContent}`);
    const status = document.createElement('span');
    status.className = 'visually-hidden';
    status.setAttribute('role', 'status');
    const show = (text: string) => {
      button.textContent = text;
      status.textContent = text;
      setTimeout(() => {
        button.textContent = copy;
        status.textContent = '';
      }, 2000);
    };
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(code.textContent ?? '').then(
        () => show(copied),
        () => show(failed),
      );
    });
    caption.append(button, status);
  }
}
