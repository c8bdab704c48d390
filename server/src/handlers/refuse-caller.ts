import { type Refusal, refuse } from '../../contract/index.ts';
import type { NotPermitted } from '../store/authority.ts';

/** Refuses a caller whose authority, read under lock, does not allow the change. */
export function refuseCaller({ reason }: NotPermitted): Refusal<401> | Refusal<403> {
  switch (reason) {
    case 'credential_revoked':
      return refuse(401, 'credentials_invalid');
    case 'permission_lost':
      return refuse(403, 'permission_denied');
    case 'beyond_own_permissions':
      return refuse(403, 'beyond_own_permissions');
  }
}
