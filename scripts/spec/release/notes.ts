import { readFile } from 'node:fs/promises';
import { releases } from '../breaking/releases.ts';
import { toDo } from '../diff/changelog.ts';
import type { Differences } from '../diff/changes.ts';

const instructions = `<!-- Summary: two to five sentences for integrators. What is new, and why does it matter to them? The page adds the date
and the list of all changes. -->`;

/** The file of a release that its designer completes: the summary, and what integrators must do, as far as it is known. */
export function draftNotes(last: string, found: Differences, summary = instructions): string {
  const nothing = `Nothing: programs that work with ${last} keep working.`;
  return `${summary.trim()}\n\n${toDo(found) ?? `### What to do\n\n${nothing}`}\n`;
}

/** The hand-written part of a release, as Markdown, without comments; empty without a file. */
export async function notesOf(version: string, directory = releases): Promise<string> {
  const text = await readFile(new URL(`${version}.md`, directory), 'utf8').catch(() => '');
  return text.replaceAll(/<!--[\s\S]*?-->/g, '').trim();
}

/** What comes before the first heading. */
export function summaryOf(notes: string): string {
  return notes.split(/^#/m, 1)[0]?.trim() ?? '';
}

export function withoutSummary(file: string): string {
  return `${file} has no summary: say in its first lines what is new for integrators. The check fails without it.`;
}
