/** Header of a page whose `total` is a lower bound. */
export const cappedTotalHeader = 'X-Total-Capped';
