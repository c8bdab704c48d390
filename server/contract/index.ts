export { withClosedObjects } from './closed-objects.ts';
export {
  type Contract,
  type Form,
  type LoadedContract,
  loadContract,
  type Operation,
  openContract,
  prepareContract,
} from './contract.ts';
export {
  type ErrorCode,
  errorBody,
  isRefusal,
  type OperationId,
  type Permission,
  type Problem,
  platformHeaders,
  type Refusal,
  Refused,
  type Resource,
  refuse,
  refusedMethod,
} from './declared.ts';
export { deprecationHeaders, deprecationOf } from './deprecation.ts';
export { type ContractDocument, keysOf, readDocument, resolve, type Schema } from './document.ts';
export { normalized, splitTarget } from './match.ts';
export {
  absoluteLinks,
  groupPage,
  guideGroups,
  operationPage,
  type PortalLinks,
  portalLinks,
  type TagGroup,
} from './portal-links.ts';
export {
  bodyProblem,
  messageAt,
  parameterProblem,
  problemLimit,
  problemsOf,
  stopAtLimit,
} from './problems.ts';
export {
  errorCodesOf,
  type MediaType,
  type OperationObject,
  type Parameter,
  parameterNames,
  permissionOf,
  propertiesOf,
  type ResponseObject,
  type Route,
  routesOf,
} from './routes.ts';
