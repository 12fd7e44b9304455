import { describe, expect, it } from 'vitest';
import { cpf } from '../../../../src/base/codecs/fields/brazilian-documents.ts';
import { dateTimeInput } from '../../../../src/base/codecs/fields/date-time.ts';
import { idsOrBracketed, pathId } from '../../../../src/base/codecs/fields/ids.ts';
import { orNull } from '../../../../src/base/codecs/fields/nullable.ts';
import { dateTimeFaults } from '../../../../src/base/codecs/fields/read-date-time.ts';
import {
  colour,
  email,
  phone,
  slug,
  url,
} from '../../../../src/base/codecs/fields/string-formats.ts';
import { hasTooManyMarks } from '../../../../src/base/codecs/fields/string-input.ts';
import { choice, line, text, verbatimText } from '../../../../src/base/codecs/fields/text.ts';
import { runInZone } from '../../../../src/base/codecs/fields/zone.ts';
import { contains, listing } from '../../../../src/base/codecs/listing/listing.ts';
import { bodyError, parseOutcome } from '../parse-outcome.ts';

const acute = '\u0301';
const tooManyMarks = 'Must have at most 30 combining marks in a row.';

describe('combining marks', () => {
  it('are accepted up to 30 in a row', () => {
    expect(hasTooManyMarks(`a${acute.repeat(30)}b${acute.repeat(30)}`)).toBe(false);
    expect(hasTooManyMarks(`a${acute.repeat(31)}`)).toBe(true);
    expect(parseOutcome(line(255), `a${acute.repeat(30)}`)).toEqual({
      value: `á${acute.repeat(29)}`,
    });
  });

  it.each([
    ['line', line(255)],
    ['text', text(255)],
    ['a text that is not cleaned', verbatimText(255)],
    ['a nullable text', orNull(line(255))],
    ['a slug', slug(255)],
    ['a choice', choice(['a'])],
    ['a CPF', cpf],
    ['a phone number', phone],
    ['an e-mail address', email],
    ['a URL', url()],
    ['an id of a path', pathId],
    ['a colour', colour],
  ])('beyond 30 in a row are rejected in %s', (_name, schema) => {
    expect(parseOutcome(schema, acute.repeat(31))).toEqual(bodyError(tooManyMarks));
  });

  it('beyond 30 in a row are rejected in a date, by its own message', () => {
    const outcome = runInZone('UTC', () => parseOutcome(dateTimeInput, acute.repeat(31)));
    expect(outcome).toEqual(bodyError(dateTimeFaults.unread));
  });

  it.each([
    ['invisible characters', '\u200b'],
    ['tags', '<b>'],
    ['tags whose end a mark hides', '<b>\u0338x>'],
  ])('are rejected when the removal of %s joins them', (_name, between) => {
    const sent = `${acute.repeat(20)}${between}`.repeat(4);
    expect(parseOutcome(text(255), sent)).toEqual(bodyError(tooManyMarks));
    expect(parseOutcome(orNull(text(255)), sent)).toEqual(bodyError(tooManyMarks));
  });

  it('beyond 30 in a row are rejected in every parameter of a list', () => {
    const { schema } = listing({ search: { name: 'text' }, filters: { name: contains('name') } });
    for (const name of ['name', 'search', 'searchFields', 'orderBy', 'date', 'include', 'page']) {
      expect(parseOutcome(schema, { [name]: acute.repeat(31) })).toEqual({
        errors: { [name]: [tooManyMarks] },
      });
    }
  });
});

describe('the length of a text', () => {
  it('may be four times the limit and 1,024 before cleaning', () => {
    expect(parseOutcome(line(5), ' '.repeat(1043) + 'a')).toEqual({ value: 'a' });
    expect(parseOutcome(line(5), ' '.repeat(1044) + 'a')).toEqual(
      bodyError('Must be at most 5 characters.'),
    );
    expect(parseOutcome(orNull(line(5)), ' '.repeat(1044))).toEqual({ value: null });
    expect(parseOutcome(orNull(line(5)), ' '.repeat(1045))).toEqual(
      bodyError('Must be at most 5 characters.'),
    );
  });

  it('is limited for a list of ids as text', () => {
    expect(parseOutcome(idsOrBracketed({ max: 2 }), `[${' '.repeat(2000)}]`)).toEqual(
      bodyError('Must be an array of ids, or a string such as "[4, 8, 15]".'),
    );
  });
});
