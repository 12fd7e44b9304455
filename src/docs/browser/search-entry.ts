/** One result of the search. Short names, since the browser loads all entries at once. */
export interface SearchEntry {
  /** Its name. */
  t: string;
  /** The page or section that contains it. */
  s: string;
  /** Its address. */
  u: string;
  /** The beginning of its text. */
  x: string;
  /** Further words that it is found by. */
  k?: string;
}
