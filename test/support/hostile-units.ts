const marks = '\u0301\u0316';

/** Texts of which a long one may cost more than it is long. */
export const hostileUnits = {
  'combining marks': marks,
  'marks that decompose into others': '\u0f73',
  'marks with invisible characters in between': `${marks.repeat(15)}\u200b`,
  'marks with tags in between': `${marks.repeat(10)}<b>`,
  'marks with tags that a mark hides': `${marks.repeat(10)}<b>\u0338x>`,
  'zero-width characters': '\u200b',
  'starts of tags': '<',
  'starts of tags with a letter': '<b',
  'empty tags': '<>',
  spaces: ' ',
  'ideographic spaces': '\u3000',
  'letters that grow when folded': '\u0130\ufb03',
  'sigmas between apostrophes': "\u03a3'",
  'lone surrogates': '\ud800',
  'separators of lists': ',;:',
  'colons and semicolons': 'name:a;',
  brackets: '[1,',
} as const;
