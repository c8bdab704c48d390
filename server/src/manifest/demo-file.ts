import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceDurably } from '../blobs/durable-file.ts';
import { type EnvironmentName, environmentNames } from '../config.ts';

const idNames = ['workspaceId', 'tableId', 'recordId', 'caseId', 'userId', 'workflowDefinitionId'] as const;
const secretNames = ['organizationToken', 'memberToken', 'apiKey', 'apiSecret'] as const;
export const demoDefinitions = ['echo', 'wait', 'fail', 'large', 'steps', 'http'] as const;

export type DemoIds = Record<(typeof idNames)[number], string> & {
  definitions: Record<(typeof demoDefinitions)[number], string>;
};
export type DemoSecrets = Record<(typeof secretNames)[number], string>;

/** All that it takes to try one environment out. */
export type DemoEnvironment = { baseUrl: string } & DemoSecrets & DemoIds;

/** What `demo.json` holds. */
export type DemoFile = Record<EnvironmentName, DemoEnvironment>;

const pathIn = (dataDirectory: string) => join(dataDirectory, 'demo.json');

/** The demo's file, or undefined where it is missing or less than whole. */
export async function readDemoFile(dataDirectory: string): Promise<DemoFile | undefined> {
  try {
    const content: unknown = JSON.parse(await readFile(pathIn(dataDirectory), 'utf8'));
    return isWhole(content) ? content : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file whole, readable by its owner only: it holds secrets. */
export async function writeDemoFile(dataDirectory: string, content: DemoFile): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  await replaceDurably(pathIn(dataDirectory), `${JSON.stringify(content, null, 2)}\n`);
}

function isWhole(content: unknown): content is DemoFile {
  return environmentNames.every((name) => {
    const environment = (content as Partial<DemoFile> | null)?.[name];
    return (
      hasTexts(environment, ['baseUrl', ...secretNames, ...idNames]) &&
      hasTexts(environment?.definitions, demoDefinitions)
    );
  });
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}
