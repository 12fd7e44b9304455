/** The addresses of this face. */
export const paths = {
  /** Who is signed in, or the form to sign in with; also where that form goes. */
  session: '/session',
  end: '/session/end',
  endEverywhere: '/session/end-everywhere',
} as const;

/** Where people are sent who came for nothing in particular. */
export const home = paths.session;
