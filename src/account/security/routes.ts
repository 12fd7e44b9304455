import { browserPaths } from '../../session/pages/paths.ts';
import type { UserPage } from '../../session/pages/user-pages.ts';
import { showSecurity } from './overview.tsx';
import { securityPaths } from './paths.ts';
import { showEmailChange, showProfile, submitEmailChange, submitProfile } from './profile.tsx';
import { showNewCodes, showRecoveryCodes, submitNewCodes } from './recovery-codes.tsx';
import {
  showSecondFactor,
  showSecondFactorOff,
  submitSecondFactor,
  submitSecondFactorOff,
} from './second-factor.tsx';
import {
  showEndOthers,
  showEndSession,
  showSessions,
  submitEndOthers,
  submitEndSession,
} from './sessions.tsx';

/** The pages of the security of an account: second factor, devices, details. */
export const securityPages: readonly UserPage[] = [
  { path: browserPaths.security, show: showSecurity },
  {
    path: securityPaths.factor,
    needsProof: true,
    show: showSecondFactor,
    onSubmit: submitSecondFactor,
  },
  {
    path: securityPaths.factorOff,
    needsProof: true,
    show: showSecondFactorOff,
    onSubmit: submitSecondFactorOff,
  },
  { path: securityPaths.codes, show: showRecoveryCodes },
  { path: securityPaths.newCodes, needsProof: true, show: showNewCodes, onSubmit: submitNewCodes },
  { path: browserPaths.sessions, show: showSessions },
  { path: securityPaths.endOtherSessions, show: showEndOthers, onSubmit: submitEndOthers },
  { path: securityPaths.endSession(':id'), show: showEndSession, onSubmit: submitEndSession },
  { path: browserPaths.profile, show: showProfile, onSubmit: submitProfile },
  {
    path: securityPaths.email,
    needsProof: true,
    show: showEmailChange,
    onSubmit: submitEmailChange,
  },
];
