import type { Words } from './words/en.ts';

export type AppStateName = keyof Words['partners']['states'];

/** The state of an app, in words and colour. */
export const AppState = ({ state, words }: { state: AppStateName; words: Words['partners'] }) => (
  <span class={`state ${state}`}>{words.states[state]}</span>
);
