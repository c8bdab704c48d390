import type { OperationId } from '../../contract/index.ts';
import type { AuditOrigin } from '../store/audit.ts';
import type { RequestContext } from './request-context.ts';

/** The operations that change something and are not in the audit log, and why. */
export const notAudited: Partial<Record<OperationId, string>> = {
  createAttachment: 'the attachment names who created it, and when',
  createParameterSet: 'the parameter set names who created it, and when',
  refreshTokens: 'it continues a sign-in, which has an entry',
  startWorkflow: 'the execution names who started it, and when',
  uploadResource: 'the resource names who uploaded it, and when',
};

/** Who changes something by a request, and from where. */
export function auditOriginOf({ id, caller, operation, request }: RequestContext, at: Date): AuditOrigin {
  return {
    actor: caller && { kind: 'caller', userId: caller.userId, credentialId: caller.credentialId },
    action: operation.contract.id,
    source: request.ip ?? request.socket.remoteAddress ?? 'unknown',
    requestId: id,
    at,
  };
}
