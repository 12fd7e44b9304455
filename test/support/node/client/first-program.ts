import { readFileSync } from 'node:fs';

/** Returns the first block of code of a README, as a reader copies it. */
export const firstProgramOf = (readme: string): string =>
  /^```\w+\n([^]*?)^```/m.exec(readFileSync(readme, 'utf8'))?.[1] ?? '';

/** The same program for the demo, with a brand of its own. */
export const firstProgramFor = (readme: string, origin: string, brand: string): string =>
  firstProgramOf(readme)
    .replace('https://api.example.com', origin)
    .replace('my-store', 'demo')
    .replace('Sol', brand);
