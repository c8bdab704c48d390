export { OutboundFailed, OutboundRefused } from './errors.ts';
export {
  checkedUrl,
  createOutbound,
  type Outbound,
  type OutboundResponse,
  type RefusedAddress,
} from './outbound.ts';
export { isPublicAddress } from './public-address.ts';
export { systemResolve } from './resolve.ts';
