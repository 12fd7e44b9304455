import { describe, expect, it } from 'vitest';
import { headings } from '../../src/headings.ts';
import { sectionOf } from '../../src/http/heading.ts';

const begins = (path: string, under: string) => path === under || path.startsWith(`${under}/`);
const places = [...new Set(headings.flatMap(({ under }) => under))];

describe('where rows are loaded', () => {
  it('is one place for each path: none is below another', () => {
    const nested = places.filter((one) => places.some((two) => one !== two && begins(one, two)));
    expect(nested).toEqual([]);
  });

  it.each(headings)('is said of all rows of "$heading", and of no others', async (heading) => {
    const { operations } = await sectionOf(heading);
    const needed = operations.map(({ path }) => places.find((under) => begins(path, under)));
    expect(new Set(needed)).toEqual(new Set(heading.under));
  });
});
