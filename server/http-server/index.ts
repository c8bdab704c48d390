export { assertClientWaits, ClientGone, clientSignal } from './client-gone.ts';
export { crossOrigin, isLocalOrigin } from './cross-origin.ts';
export { type SecurityHeaders, securityHeaders, setDefaultHeaders } from './default-headers.ts';
export {
  isMalformed,
  malformed,
  respondToMalformedRequests,
  sendRefusal,
  starting,
  strictness,
} from './fallback-responses.ts';
export { hostNameIn, originIn } from './host-names.ts';
export { ListenError, type Listener, listen, listeningUrl, reserve } from './listen.ts';
export {
  guarded,
  guardedServer,
  isOpenedByOtherSite,
  type LocalAccess,
  localAccess,
} from './local-access.ts';
export { closeAfterResponse, hasBody } from './unread-body.ts';
