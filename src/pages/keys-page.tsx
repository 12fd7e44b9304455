import type { FrameProps } from './frame.tsx';
import { MomentText } from './moment-text.tsx';
import { News } from './news.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

/** A header pair in the list. */
export interface ListedKey {
  name: string;
  lastFour: string;
  /** Epoch milliseconds. */
  createdAt: number;
  lastUsedAt: number | null;
  revokeHref: string;
}

export interface KeysProps {
  panel: PanelProps;
  keys: readonly ListedKey[];
  zone: string;
  newHref: string;
  /** Whether one has just been revoked. */
  isRevoked: boolean;
}

/** The header pairs of somebody. */
export const KeysPage = ({ panel, keys, zone, newHref, isRevoked }: KeysProps) => {
  const said = wordsOf(panel.frame.language).account.keys;
  return (
    <Panel {...panel} title={said.title}>
      <h1>{said.title}</h1>
      <News text={isRevoked ? said.revoked : undefined} />
      <p>{said.lead}</p>
      <p>
        <a class="button" href={newHref}>
          {said.create}
        </a>
      </p>
      {keys.length === 0 ? (
        <p>{said.none}</p>
      ) : (
        <>
          <table>
            <caption>{said.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{said.name}</th>
                <th scope="col">{said.ends}</th>
                <th scope="col">{said.created}</th>
                <th scope="col">{said.used}</th>
                <th scope="col">{said.action}</th>
              </tr>
            </thead>
            <tbody>
              {keys.map((key) => (
                <KeyRow listed={key} zone={zone} frame={panel.frame} />
              ))}
            </tbody>
          </table>
          <p class="muted">{said.usedHint}</p>
        </>
      )}
    </Panel>
  );
};

const KeyRow = ({
  listed: { name, lastFour, createdAt, lastUsedAt, revokeHref },
  zone,
  frame: { language },
}: {
  listed: ListedKey;
  zone: string;
  frame: FrameProps;
}) => {
  const said = wordsOf(language).account.keys;
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
      </th>
      <td data-label={said.ends}>
        <code>{lastFour}</code>
      </td>
      <td data-label={said.created}>
        <MomentText {...{ language, zone }} at={createdAt} />
      </td>
      <td data-label={said.used}>
        {lastUsedAt === null ? said.never : <MomentText {...{ language, zone }} at={lastUsedAt} />}
      </td>
      <td>
        <a href={revokeHref} aria-label={said.revokeKey.replace('{name}', name)}>
          {said.revoke}
        </a>
      </td>
    </tr>
  );
};
