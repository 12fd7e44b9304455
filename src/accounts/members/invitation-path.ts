/** The path of the page that the link of an invitation opens. */
export const invitationPath = (token: string) => `/invitations/${token}`;
