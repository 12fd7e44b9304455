declare module '*?raw' {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** Files by pattern, as the test runner's bundler reads them. */
  glob<T>(
    patterns: string[],
    options: { query: string; import: string; eager: true },
  ): Record<string, T>;
}
