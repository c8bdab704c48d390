export { demandKnown, documentErrors } from './snippets/documents.ts';
export { runPrograms } from './snippets/programs.ts';
export { runShell } from './snippets/shell.ts';
export {
  byPage,
  placeOf,
  type Snippet,
  type SnippetError,
  snippetsOf,
  snippetsOfPage,
  snippetsOfYaml,
} from './snippets/snippet.ts';
export { type Stage, stageFor } from './snippets/stage.ts';
export { typeErrors } from './snippets/types.ts';
