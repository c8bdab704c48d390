export { demandKnown, documentFaults } from './snippets/documents.ts';
export { runPrograms } from './snippets/programs.ts';
export { runShell } from './snippets/shell.ts';
export {
  byPage,
  type Fault,
  placeOf,
  type Snippet,
  snippetsOf,
  snippetsOfPage,
  snippetsOfYaml,
} from './snippets/snippet.ts';
export { type Stage, stageFor } from './snippets/stage.ts';
export { typeFaults } from './snippets/types.ts';
