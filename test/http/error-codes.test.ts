import { describe, expect, it } from 'vitest';
import { errorCodes, type ErrorCode } from '../../src/base/error-codes.ts';
import { HttpError, messageOf } from '../../src/base/errors.ts';
import { errorMeanings } from '../../src/docs/meaning/error-meanings.ts';

const codes = Object.keys(errorCodes) as ErrorCode[];
const sentences = /^[\p{Lu}`].*[.]$/su;

describe('error codes', () => {
  it('have a meaning and a remedy in every language, and a hint of one sentence', () => {
    expect(codes.length).toBeGreaterThan(40);
    expect(Object.keys(errorMeanings).toSorted()).toEqual(codes.toSorted());
    for (const code of codes) {
      expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
      const [status, hint] = errorCodes[code];
      expect(hint, code).toMatch(/^[A-Z](?:[^.]|\.\S)*\.$/);
      expect(messageOf(status), code).not.toContain('Error Error');
      const texts = Object.values(errorMeanings[code]);
      expect(texts).toHaveLength(3);
      for (const { meaning, remedy } of texts) {
        expect(meaning, code).toMatch(sentences);
        expect(remedy, code).toMatch(sentences);
      }
      expect(new Set(texts.map(({ remedy }) => remedy)).size, code).toBe(3);
    }
  });

  it('give an error its status, message and hint', () => {
    expect(new HttpError('out_of_stock')).toMatchObject({
      status: 409,
      message: '409 Conflict',
      hint: errorCodes.out_of_stock[1],
    });
    expect(new HttpError('invalid_body', { status: 400, hint: 'Look.' })).toMatchObject({
      status: 400,
      message: '400 Bad Request',
      hint: 'Look.',
    });
  });
});
