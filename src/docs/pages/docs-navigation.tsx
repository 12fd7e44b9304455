import { docsMessages } from './docs-messages.ts';
import type { SiteProps } from './props.ts';

/** The pages of the documentation, in groups: beside the text on wide screens, folded above it on narrow ones. */
export const Navigation = ({ language, navigation, path }: SiteProps) => {
  const { menu, homeTitle } = docsMessages[language];
  return (
    <nav class="pages" aria-label={menu}>
      <details>
        <summary>{menu}</summary>
        <div class="pages-list" tabindex={0} role="group" aria-label={homeTitle}>
          {navigation.map(({ title, links }) => (
            <section>
              <p class="group">{title}</p>
              <ul>
                {links.map(({ href, text, method }) => (
                  <li>
                    <a href={href} aria-current={href === path ? 'page' : undefined}>
                      {method !== undefined && (
                        <span class={`method ${method.toLowerCase()}`}>{method}</span>
                      )}
                      {text}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </details>
    </nav>
  );
};
