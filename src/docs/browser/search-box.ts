import type { Finder, Found } from './search-index.ts';

/** Shows the search, and loads it when it gets the focus. */
export function enableSearch() {
  const box = document.querySelector<HTMLElement>('search');
  const input = box?.querySelector('input');
  const list = box?.querySelector('ul');
  const status = box?.querySelector('[role="status"]');
  if (!box || !input || !list || !status) return;
  const texts = box.dataset;
  let finder: Promise<Finder> | undefined;

  const load = () =>
    (finder ??= import(texts.script ?? '').then(
      ({ createFinder }: { createFinder: (address: string) => Promise<Finder> }) =>
        createFinder(texts.index ?? ''),
    ));

  const show = (found: readonly Found[], query: string) => {
    list.replaceChildren(...found.map(listItem));
    list.hidden = found.length === 0;
    const count = String(found.length);
    const notified =
      found.length === 1 ? texts.one : (texts.results ?? '').replace('{count}', count);
    status.textContent = query === '' ? '' : ((found.length === 0 ? texts.none : notified) ?? '');
    status.classList.toggle('visually-hidden', query === '' || found.length > 0);
  };

  const search = async () => {
    const query = input.value.trim();
    try {
      const find = await load();
      // The reader may have gone on typing.
      if (query === input.value.trim()) show(query === '' ? [] : find(query), query);
    } catch {
      finder = undefined;
      status.textContent = texts.failed ?? '';
      status.classList.remove('visually-hidden');
    }
  };

  const close = () => show([], '');
  const links = () => [...list.querySelectorAll('a')];
  /** Moves the focus through the results; before the first one is the input. */
  const move = (step: number) => {
    const all = links();
    const at = all.findIndex((link) => link === document.activeElement) + step;
    (all[at] ?? (at < 0 ? input : undefined))?.focus();
  };

  input.addEventListener('focus', () => void search());
  input.addEventListener('input', () => void search());
  box.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'Escape') {
      close();
      input.focus();
      close();
    } else if (event.key === 'Enter' && event.target === input) links()[0]?.click();
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && box.contains(relatedTarget))) close();
  });
  // A press of a mouse button on a result must not take the list away before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', close);
  box.hidden = false;
}

function listItem({ title, section, address, text }: Found): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  const name = document.createElement('strong');
  name.textContent = title;
  const where = document.createElement('span');
  where.className = 'muted';
  where.textContent = [section, text].filter((part) => part !== '').join(' · ');
  link.append(name, ' ', where);
  item.append(link);
  return item;
}
