/** Whether a text has more than so many bytes in UTF-8. Only a text that may be too long is encoded. */
export const exceedsBytes = (text: string, max: number): boolean =>
  text.length * 3 > max && new TextEncoder().encode(text).length > max;
