const maxBytes = 2_048;

/** A7: a state has at most 2,048 bytes; none is fine, since PKCE stands against forged callbacks. */
export const stateIsShort = (state: string | undefined) =>
  state === undefined || new TextEncoder().encode(state).length <= maxBytes;
