import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { dateTimeInput } from '../../../../src/base/codecs/fields/date-time.ts';
import { recordId } from '../../../../src/base/codecs/fields/ids.ts';
import { orNull } from '../../../../src/base/codecs/fields/nullable.ts';
import { int } from '../../../../src/base/codecs/fields/scalars.ts';
import { url } from '../../../../src/base/codecs/fields/string-formats.ts';
import { line, text, choice } from '../../../../src/base/codecs/fields/text.ts';
import { parseOutcome, bodyError, inputSchema } from '../parse-outcome.ts';

describe('orNull', () => {
  it.each([
    ['line', line(5), [null, '', ' ', '<br>', '\u200b']],
    ['text', text(5), [null, '', '\n']],
    ['refined line', line(5).refine((value) => value !== 'x'), [null, '', ' ']],
    ['choice', choice(['daily']), [null, '', ' ']],
    ['url', url(), [null, '']],
    ['moment', dateTimeInput, [null, '']],
    ['id', recordId(), [null]],
  ])('converts null and empty texts of a %s to null', (_, schema, values) => {
    for (const value of values)
      expect(parseOutcome(orNull(schema), value)).toEqual({ value: null });
  });

  it('keeps other values and errors', () => {
    expect(parseOutcome(orNull(line(5)), ' a ')).toEqual({ value: 'a' });
    expect(parseOutcome(orNull(line(5)), undefined)).toEqual(bodyError('Required.'));
    expect(parseOutcome(orNull(line(5)), '\ud800')).toEqual(
      bodyError('Must be valid Unicode text.'),
    );
    expect(parseOutcome(orNull(url()), ' ')).toEqual(
      bodyError('Must be an absolute http or https URL.'),
    );
    expect(parseOutcome(orNull(recordId()), '')).toEqual(
      bodyError('Must be a positive whole number.'),
    );
    expect(parseOutcome(orNull(int(0, 365)), '')).toEqual(
      bodyError('Must be a whole number from 0 to 365.'),
    );
  });

  it('has the JSON schema of the field, made nullable', () => {
    const schema = orNull(line(5));
    const value: z.output<typeof schema> = null;
    expect(value).toBeNull();
    expect(inputSchema(schema)).toEqual({
      anyOf: [{ type: 'string', minLength: 1, maxLength: 5 }, { type: 'null' }],
    });
  });
});
