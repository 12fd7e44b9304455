import { enableSearch } from './search-box.ts';

/** The script of every page of the documentation. Each page also works without it. */

/** Marks the section that is being read in the table of contents. */
function markSection() {
  const links = new Map(
    Array.from(document.querySelectorAll<HTMLAnchorElement>('.contents a'), (link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  const targets = [...links.keys()].flatMap((id) => document.getElementById(id) ?? []);
  if (targets.length === 0) return;
  const update = () => {
    const read =
      targets.findLast((target) => target.getBoundingClientRect().top < 160) ?? targets[0];
    for (const [id, link] of links) {
      if (id === read?.id) link.setAttribute('aria-current', 'location');
      else link.removeAttribute('aria-current');
    }
  };
  const observer = new IntersectionObserver(update, { rootMargin: '-150px 0px 0px' });
  for (const target of targets) observer.observe(target);
  update();
}

/** Beside the text the navigation is always open. */
function openNavigation() {
  const details = document.querySelector<HTMLDetailsElement>('.pages > details');
  if (!details) return;
  const isWide = matchMedia('(min-width: 64rem)');
  const update = () => {
    details.open = isWide.matches;
  };
  isWide.addEventListener('change', update);
  update();
  const list = details.querySelector('.pages-list');
  const current = details.querySelector<HTMLElement>('[aria-current]');
  if (list && current && isWide.matches) {
    list.scrollTop = Math.max(0, current.offsetTop - list.clientHeight / 2);
  }
}

const texts: Record<string, readonly [copy: string, copied: string, failed: string]> = {
  en: ['Copy', 'Copied', 'Not copied'],
  'pt-BR': ['Copiar', 'Copiado', 'Não copiado'],
  es: ['Copiar', 'Copiado', 'No copiado'],
};

/** Adds a button to every block of code. */
function enableCopying() {
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

const key = 'sample-language';

/** Storage can be forbidden. */
function readChoice(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeChoice(language: string) {
  try {
    localStorage.setItem(key, language);
  } catch {
    // The page then forgets it.
  }
}

/** Shows all samples in the language that was chosen last, on this page and on later ones. */
function rememberLanguage() {
  const tabs = document.querySelectorAll<HTMLInputElement>('.samples input[type="radio"]');
  const choose = (language: string) => {
    for (const tab of tabs) if (tab.value === language) tab.checked = true;
  };
  const choice = readChoice();
  if (choice !== null) choose(choice);
  for (const tab of tabs) {
    tab.addEventListener('change', () => {
      // The text below the pointer stays where it is, though blocks above it change their height.
      const top = tab.getBoundingClientRect().top;
      choose(tab.value);
      scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
      writeChoice(tab.value);
    });
  }
}

/** Opens what of the index of operations has each word that is typed, and hides the rest. */
function filterIndex() {
  const field = document.querySelector<HTMLInputElement>('.index-filter input');
  const status = document.querySelector('.index-filter [role=status]');
  if (!field?.parentElement || !status) return;
  field.parentElement.hidden = false;
  const groups = Array.from(
    document.querySelectorAll<HTMLDetailsElement>('details.letter'),
    (group) => ({
      group,
      items: [...group.querySelectorAll('li')],
    }),
  );
  const update = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { group, items } of groups) {
      const shown = items.filter((item) => {
        const text = item.textContent.toLowerCase();
        item.hidden = !words.every((word) => text.includes(word));
        return !item.hidden;
      });
      group.open = words.length > 0 && shown.length > 0;
      group.hidden = shown.length === 0;
      found += shown.length;
    }
    status.textContent = words.length === 0 ? '' : `Found: ${found}`;
  };
  field.addEventListener('input', update);
  // A browser that goes back keeps what was typed.
  update();
}

rememberLanguage();
filterIndex();
enableCopying();
enableSearch();
markSection();
openNavigation();
