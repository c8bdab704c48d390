export { createDurably, ifExists, reasonOf, replaceDurably, syncDirectory } from './durable-file.ts';
