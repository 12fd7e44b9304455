import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { int } from '../../src/wire/number.ts';
import { id } from '../../src/wire/id.ts';
import { moment } from '../../src/wire/moment.ts';
import { orNull } from '../../src/wire/or-null.ts';
import { line, text } from '../../src/wire/text.ts';
import { url } from '../../src/wire/url.ts';
import { choice } from '../../src/wire/words.ts';
import { outcome, refused, sent } from './outcome.ts';

describe('orNull', () => {
  it.each([
    ['line', line(5), [null, '', ' ', '<br>', '\u200b']],
    ['text', text(5), [null, '', '\n']],
    ['refined line', line(5).refine((value) => value !== 'x'), [null, '', ' ']],
    ['choice', choice(['daily']), [null, '', ' ']],
    ['url', url(), [null, '']],
    ['moment', moment, [null, '']],
    ['id', id(), [null]],
  ])('a %s takes null and its empty texts', (_, schema, values) => {
    for (const value of values) expect(outcome(orNull(schema), value)).toEqual({ value: null });
  });

  it('keeps other values and refusals', () => {
    expect(outcome(orNull(line(5)), ' a ')).toEqual({ value: 'a' });
    expect(outcome(orNull(line(5)), undefined)).toEqual(refused('Required.'));
    expect(outcome(orNull(line(5)), '\ud800')).toEqual(refused('Must be valid Unicode text.'));
    expect(outcome(orNull(url()), ' ')).toEqual(refused('Must be an absolute http or https URL.'));
    expect(outcome(orNull(id()), '')).toEqual(refused('Must be a positive whole number.'));
    expect(outcome(orNull(int(0, 365)), '')).toEqual(
      refused('Must be a whole number from 0 to 365.'),
    );
  });

  it('is documented as nullable and has its type', () => {
    const schema = orNull(line(5));
    const value: z.output<typeof schema> = null;
    expect(value).toBeNull();
    expect(sent(schema)).toEqual({
      anyOf: [{ type: 'string', minLength: 1, maxLength: 5 }, { type: 'null' }],
    });
  });
});
