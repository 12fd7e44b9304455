/** The authorization endpoint (RFC 6749, section 3.1). */
export const authorizePath = '/oauth/authorize';
