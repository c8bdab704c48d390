export { drawDefinition } from './draw.ts';
export { openMachine } from './machine.ts';
export { type Problem, type SupportedResource, supportedResources, validateDefinition } from './validate.ts';
