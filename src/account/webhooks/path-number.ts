import { notFound } from '../../problem.ts';
import { pathId } from '../../wire/id.ts';

/** A number of an address. Throws 404 for what is none. */
export function pathNumber(text: string | undefined): number {
  const read = pathId.safeParse(text);
  if (!read.success) throw notFound();
  return read.data;
}
