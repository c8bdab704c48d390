export { drawDefinition } from './draw.ts';
export { openMachine } from './machine.ts';
export { type Problem, supportedResources, validateDefinition } from './validate.ts';
