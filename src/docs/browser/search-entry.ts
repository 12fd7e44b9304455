/** One thing that the search finds. Short names, since the browser loads all entries at once. */
export interface SearchEntry {
  /** Its name. */
  t: string;
  /** What it is part of. */
  s: string;
  /** Its address. */
  u: string;
  /** The beginning of its text. */
  x: string;
}
