import { copyButtons } from './assets.ts';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

export interface MadeKeyProps {
  panel: PanelProps;
  /** `undefined` when it was shown before. */
  pair: { token: string; secret: string } | undefined;
  keysHref: string;
}

/** The two parts of a new header pair, this once. */
export const MadeKeyPage = ({ panel, pair, keysHref }: MadeKeyProps) => {
  const said = wordsOf(panel.frame.language).account.keys;
  const title = pair ? said.made : said.gone;
  return (
    <Panel {...panel} title={title} scripts={pair ? [copyButtons] : []}>
      <h1>{title}</h1>
      {pair ? (
        <>
          <p>{said.madeLead}</p>
          <p class="notice danger">{said.danger}</p>
          {(['token', 'secret'] as const).map((part) => (
            <figure
              class="code measure"
              data-copy={said.copy}
              data-copied={said.copied}
              data-not-copied={said.notCopied}
            >
              <figcaption>{said[part]}</figcaption>
              <pre>
                <code>{pair[part]}</code>
              </pre>
            </figure>
          ))}
        </>
      ) : (
        <p>{said.goneLead}</p>
      )}
      <p class="actions">
        <a class="button" href={keysHref}>
          {pair ? said.kept : said.back}
        </a>
      </p>
    </Panel>
  );
};
