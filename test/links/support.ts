import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Actor } from '../support/actors.ts';
import type { Api } from '../support/api.ts';
import { echo } from '../support/definitions.ts';
import { eventsOf } from '../support/events.ts';
import type { Given } from '../support/given.ts';
import { bodyOf } from '../support/responses.ts';

/** One property of each field type. */
export const claimSchema = {
  type: 'object',
  required: ['claimNumber', 'amount', 'injured', 'cause'],
  properties: {
    claimNumber: { type: 'string', title: 'Claim number', readOnly: true },
    holder: { type: 'string', title: 'Your name', minLength: 2, maxLength: 100 },
    email: { type: 'string', title: 'Your e-mail address', format: 'email' },
    happenedOn: { type: 'string', title: 'Day of the accident', format: 'date' },
    cause: {
      title: 'What happened',
      oneOf: [
        { const: 'collision', title: 'A collision' },
        { const: 'glass', title: 'Broken glass' },
        { const: 'theft', title: 'A theft' },
      ],
    },
    amount: {
      type: 'number',
      title: 'Estimated damage',
      description: 'In euros, as far as you know.',
      minimum: 0,
      maximum: 1_000_000,
    },
    people: { type: 'integer', title: 'People in the car', minimum: 1, maximum: 9 },
    injured: { type: 'boolean', title: 'Was somebody injured?' },
    callBack: { type: 'boolean', title: 'Please call me back', default: false },
    remarks: { type: 'string', title: 'Remarks', maxLength: 2000 },
  },
};

export interface Definition {
  id: string;
  workspace: { id: string };
}

type GivenDefinition = Parameters<Given['workflowDefinition']>[0];

/** Creates cases, runnable definitions and links. */
export function linksOf({
  database,
  clock,
  world,
  owner,
  given: platform,
}: Pick<Api, 'database' | 'clock' | 'world' | 'owner' | 'given'>) {
  const given = {
    executions: () => database.selectFrom('executions').select('id').execute(),

    /** Asserts that an attempt starts no execution. */
    async startsNothing(attempt: () => Promise<unknown>): Promise<void> {
      const before = (await given.executions()).length;
      const events = await eventsOf(database, attempt);
      // Earlier executions may end in the meantime.
      expect(events.filter(({ type }) => type === 'link.used' || type === 'workflow.started')).toEqual([]);
      expect(await given.executions()).toHaveLength(before);
    },

    async case({
      workspace = world.workspace,
      recordId = null,
      contact = { name: 'Noor Haddad', email: 'noor.haddad@mail.example' },
      name = 'Claim 2026-0147: missing photos',
    }: {
      workspace?: { id: string };
      recordId?: string | null;
      contact?: { name: string; email: string } | null;
      name?: string;
    } = {}): Promise<{ id: string }> {
      const id = randomUUID();
      await database
        .insertInto('cases')
        .values({
          id,
          name,
          workspace_id: workspace.id,
          record_id: recordId,
          created_at: clock.now(),
          contact_name: contact?.name ?? null,
          contact_email: contact?.email ?? null,
        })
        .execute();
      return { id };
    },

    async definition({
      workspace = world.workspace,
      document = echo,
      ...fields
    }: {
      workspace?: { id: string };
      document?: object;
      inputSchema?: object;
      uiOptions?: object;
      defaultLocale?: string;
    } = {}): Promise<Definition> {
      const known = { ...fields, workspace, definition: document } as GivenDefinition;
      return { ...(await platform.workflowDefinition(known)), workspace };
    },

    async parameters(definition: { id: string }, parameters: unknown): Promise<string> {
      const body = { workflowDefinitionId: definition.id, parameters };
      const { parametersId } = (await bodyOf(201, owner.POST('/parameters', { body }))) as {
        parametersId: string;
      };
      return parametersId;
    },

    /** Creates a link. Default: for a new case. @returns its URL */
    async link({
      definition,
      parameters,
      caseId,
      client = owner,
    }: {
      definition: Definition;
      parameters?: unknown;
      caseId?: string;
      client?: Actor;
    }): Promise<string> {
      const parametersId =
        parameters === undefined ? undefined : await given.parameters(definition, parameters);
      const body = {
        caseId: caseId ?? (await given.case({ workspace: definition.workspace })).id,
        workflowDefinitionId: definition.id,
        ...(parametersId && { parametersId }),
      };
      const { link } = (await bodyOf(201, client.POST('/link', { body }))) as { link: string };
      return link;
    },

    /** The row of the link with this URL. */
    async row(link: string) {
      const hex = Buffer.from(tokenOf(link), 'base64url').toString('hex', 0, 16);
      return database.selectFrom('links').selectAll().where('id', '=', hex).executeTakeFirstOrThrow();
    },

    /** The row of the execution that the link with this URL started. */
    async execution(link: string) {
      const { execution_id: id } = await given.row(link);
      const rows = database.selectFrom('executions').selectAll();
      return rows.where('id', '=', String(id)).executeTakeFirstOrThrow();
    },
  };
  return given;
}

export const tokenOf = (link: string) => link.slice(link.lastIndexOf('/') + 1);

export interface FetchedPage {
  status: number;
  headers: Headers;
  text: string;
}

export async function page(address: string, init: RequestInit = {}): Promise<FetchedPage> {
  const response = await fetch(address, { redirect: 'manual', ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The hidden form token of a page. */
export function formTokenOf({ text }: FetchedPage): string {
  const [, token] = /<input type="hidden" name="form" value="([^"]+)">/.exec(text) ?? [];
  expect(token, 'the page has a form').toBeDefined();
  return token as string;
}

/** Submits the form of a page like a browser. */
export function confirm(
  link: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<FetchedPage> {
  const browser = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin', ...headers };
  return page(link, { method: 'POST', headers: browser, body: new URLSearchParams(fields) });
}

/** The absolute URL of a redirect. */
export function destination(link: string, { status, headers }: FetchedPage): string {
  expect(status).toBe(303);
  return new URL(headers.get('Location') ?? '', link).href;
}
