import { browserPaths } from '../../session/pages/paths.ts';

const factor = `${browserPaths.security}/second-factor`;

/** The pages of the security of an account. */
export const securityPaths = {
  factor,
  factorOff: `${factor}/off`,
  codes: `${factor}/codes`,
  newCodes: `${factor}/codes/new`,
  endSession: (id: string) => `${browserPaths.sessions}/${id}/end`,
  endOtherSessions: `${browserPaths.sessions}/end-others`,
  email: `${browserPaths.profile}/e-mail`,
} as const;
