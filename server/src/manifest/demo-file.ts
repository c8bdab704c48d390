import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '../../durable-files/index.ts';
import { type EnvironmentName, environmentNames } from '../config.ts';

const idNames = ['workspaceId', 'tableId', 'recordId', 'caseId', 'userId', 'workflowDefinitionId'] as const;
const secretNames = ['organizationToken', 'memberToken', 'apiKey', 'apiSecret'] as const;
export const demoDefinitions = ['echo', 'wait', 'fail', 'large', 'steps', 'http'] as const;

export type DemoIds = Record<(typeof idNames)[number], string> & {
  definitions: Record<(typeof demoDefinitions)[number], string>;
};
export type DemoSecrets = Record<(typeof secretNames)[number], string>;

/** The base URL, credentials and ids for calling one environment. */
export type DemoEnvironment = { baseUrl: string } & DemoSecrets & DemoIds;

/** The content of `demo.json`. */
export type DemoFile = Record<EnvironmentName, DemoEnvironment>;

/** Where the demo's tokens and ids are. */
export const demoFilePath = (dataDirectory: string) => join(dataDirectory, 'demo.json');

/** Reads `demo.json`. Returns undefined if it is missing or incomplete. */
export async function readDemoFile(dataDirectory: string): Promise<DemoFile | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(demoFilePath(dataDirectory), 'utf8'));
    return isComplete(content) ? content : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces `demo.json` atomically. Only its owner can read it, because it contains secrets. */
export async function writeDemoFile(dataDirectory: string, content: DemoFile): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await replaceDurably(demoFilePath(dataDirectory), `${JSON.stringify(content, null, 2)}\n`);
}

function isComplete(content: unknown): content is DemoFile {
  return environmentNames.every((name) => {
    const environment = (content as Partial<DemoFile> | null)?.[name];
    return (
      hasStrings(environment, ['baseUrl', ...secretNames, ...idNames]) &&
      hasStrings(environment?.definitions, demoDefinitions)
    );
  });
}

function hasStrings(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}
