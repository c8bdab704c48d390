import type { EnvironmentName } from '../config.ts';
import type { Html } from '../domain/html.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Actor, AuditOrigin } from '../store/audit.ts';
import type { Database } from '../store/database.ts';
import type { LayoutOf } from './execution/layout.ts';

/** What a page gets of a request. */
export interface PageRequest {
  database: Database;
  environment: EnvironmentName;
  /** The identifier in the path; empty if the path has none. */
  id: string;
  query: URLSearchParams;
  now: Date;
  /** Bytes that an organization may store; undefined: no limit. */
  quota?: number | undefined;
  /** Of graphs, remembered by the console. */
  layouts: LayoutOf;
  /** A form that sends one of the page's actions; undefined in a console that allows no changes. */
  form: ((action: string, form: ChangeForm) => Html) | undefined;
}

/** A form in a section of its own, so that a change needs two clicks. */
export interface ChangeForm {
  /** The name of the section. */
  name: string;
  /** What is changed, for screen readers, where the page has several. */
  of?: string;
  /** What the change does. */
  effect: string;
  fields?: Html;
  button: string;
  isDangerous?: true;
  /** The page to continue with. */
  back: string;
  /** Default: the id in the path of the page. */
  id?: string;
}

export interface PageContent {
  title: string;
  main: Html;
  isLive?: boolean;
}

/** What an action did. A refusal says why. */
export type ActionOutcome = { done: string } | { refused: string };

interface ReadPage {
  /** Its path; `:id` is the identifier of an object. */
  path: string;
  /** Its name in the navigation. */
  name?: string;
  /** @returns undefined if the object does not exist */
  show(request: PageRequest): Promise<PageContent | undefined>;
}

interface ChangePage extends ReadPage {
  /** The command that makes the same changes, with the name of the action: `execution` for `wrp execution cancel`. */
  command: string;
  /** The changes that its forms send, by name. Each takes the id of an object, and undefined means that there is none. */
  actions: Record<string, (change: Change) => Promise<ActionOutcome | undefined>>;
}

/** A page of the console. Its statements and changes are those of the command line. */
export type ConsolePage = (ReadPage & { actions?: never }) | ChangePage;

export interface Change {
  database: Database;
  /** Adds jobs for what is to run. */
  jobs: Jobs;
  /** Who changes it, for the audit log. */
  origin: AuditOrigin & { actor: Actor };
  /** Runs a change in a transaction with its entries in the audit log. */
  change<Result>(run: (transaction: Database) => Promise<Result>): Promise<Result>;
  id: string;
  fields: URLSearchParams;
  now: Date;
}
