/** The script of every page of the documentation. Each page also works without it. */
import { enableCopying } from './copy.ts';
import { rememberLanguage } from './sample-language.ts';
import { enableSearch } from './search-box.ts';

rememberLanguage();
enableCopying();
enableSearch();
markSection();
openNavigation();

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
