export { withClosedObjects } from './closed-objects.ts';
export { type Contract, type Form, type LoadedContract, type Operation, loadContract, openContract, prepareContract } from './contract.ts';
export { type ContractDocument, type Schema, keysOf, readDocument, resolve } from './document.ts';
export { normalized, splitTarget } from './match.ts';
export { type PortalLinks, absoluteLinks, groupPage, guideGroup, operationPage, portalLinks } from './portal-links.ts';
export { bodyProblem, parameterProblem, problemLimit, problemsOf, stopAtLimit } from './problems.ts';
export { type MediaType, type OperationObject, type Parameter, type ResponseObject, type Route, errorCodesOf, parameterNames, permissionOf, propertiesOf, routesOf } from './routes.ts';
