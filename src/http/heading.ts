import type { Operation, Section } from './operation.ts';

/** A heading of the specification before its rows are loaded. */
export interface Heading {
  heading: string;
  /** How the paths of its rows begin; a path that begins so loads them. */
  under: readonly string[];
  load: () => Promise<readonly Operation[]>;
}

/** The heading with its rows. */
export const sectionOf = async ({ heading, load }: Heading): Promise<Section> => ({
  heading,
  operations: await load(),
});
