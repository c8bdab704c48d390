/** Who sent a request: a user of one organization, through one of the user's credentials. */
export interface Caller {
  userId: string;
  organizationId: string;
  /** The workspace that the caller's uploads belong to. */
  homeWorkspaceId: string;
  organizationRole: 'owner' | 'admin' | 'member';
  /** Identifies the credential in rate limits and logs; never the credential itself. */
  credentialId: string;
  /** The security scheme of the credential. */
  scheme: 'organizationToken' | 'accessToken';
}
