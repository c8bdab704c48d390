/** Who a request acts as: a user of one organization, through one of the user's credentials. */
export interface Caller {
  userId: string;
  organizationId: string;
  /** Where what the caller uploads belongs. */
  homeWorkspaceId: string;
  organizationRole: 'owner' | 'admin' | 'member';
  /** Names the credential, for rate limits and logs; never the credential itself. */
  credentialId: string;
  /** How the caller proved who it is. */
  scheme: 'organizationToken' | 'accessToken';
}
