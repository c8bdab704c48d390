import type { Finding } from '../contract/source.ts';
import type { Break } from '../spec/breaking/break.ts';

/** Where something stands, relative to the project's root; lines and columns count from 1. */
export type Place = { file: string; line: number; column: number };

/** Something that an operation of the contract asks for and the code does not have. */
export type Missing = Place & {
  what: 'handler' | 'test' | 'matrix line';
  operationId: string;
  /** What to do about it. */
  mend: string;
};

/** A change that breaks clients, with the place of what is left of it. */
export type PlacedBreak = Break & Place;

/** What the compiler says. */
export type TypeFault = Place & { code: string; message: string };

/** A finding with what to do about it, where the message does not say. */
export type MendedFinding = Finding & { mend?: string };

/**
 * What a save came to. It grows: a part that is not known yet is missing, and `done` says that nothing more comes.
 * Where there are findings, the parts after them stay missing: portal, mock and generated/ are as they were.
 */
export type Answer = {
  /** Counts the saves since the start; 0 is the contract as it was found. */
  save: number;
  /** The saved files, relative to the project's root. */
  files: string[];
  /** When it was saved, in ISO 8601. */
  at: string;
  done: boolean;
  findings?: MendedFinding[];
  mock?: { url: string; fault?: string };
  missing?: Missing[];
  breaks?: { released: string; changes: PlacedBreak[]; fault?: string };
  types?: { faults: TypeFault[]; written: string[]; fault?: string };
  portal?: { version: number; fault?: string };
  /** Milliseconds from the save until each part was known. `shown`: until a browser had drawn the portal. */
  times: Partial<Record<'findings' | 'mock' | 'missing' | 'breaks' | 'types' | 'portal' | 'shown', number>>;
};

/** Whether the contract was taken. Faults of types and missing code do not speak against it. */
export function isTaken({ findings }: Answer): boolean {
  return findings !== undefined && findings.length === 0;
}
