import type { Gap } from '../check/gaps.ts';
import type { ReportedFinding } from '../contract/lint/finding.ts';
import type { Place } from '../contract/locator.ts';
import type { PlacedBreak } from '../spec/breaking/placed.ts';

/** A compiler error, and where else the compiler reports the same. */
export type CompileError = Place & { code: string; message: string; also?: Place[] };

/**
 * What a save led to. It grows: a part that is not known yet is absent, and `done` says that nothing more comes.
 * If there are findings, portal, mock and generated/ stay as they were.
 */
export type Report = {
  /** Counts the saves since the start; 0 is the contract as it was found. */
  save: number;
  /** The saved files, relative to the project's root. */
  files: string[];
  /** When it was saved, in ISO 8601. */
  at: string;
  done: boolean;
  findings?: ReportedFinding[];
  mock?: { url: string; error?: string };
  gaps?: Gap[];
  breaks?: { released: string; changes: PlacedBreak[]; error?: string };
  types?: { errors: CompileError[]; written: string[]; error?: string };
  portal?: { version: number; error?: string };
  /** Milliseconds from the save until each part was known. `shown`: until a browser had drawn the portal. */
  times: Partial<Record<'findings' | 'mock' | 'gaps' | 'breaks' | 'types' | 'portal' | 'shown', number>>;
};

/** Whether the contract was accepted. Type errors and gaps do not prevent that. */
export function isAccepted({ findings }: Report): boolean {
  return findings !== undefined && findings.length === 0;
}
