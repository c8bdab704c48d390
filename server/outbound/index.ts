export { OutboundFailed, OutboundRefused } from './errors.ts';
export { type Outbound, type OutboundResponse, type RefusedAddress, createOutbound } from './outbound.ts';
export { isPublicAddress } from './public-address.ts';
export { systemResolve } from './resolve.ts';
