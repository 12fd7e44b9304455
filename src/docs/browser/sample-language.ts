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
export function rememberLanguage() {
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
