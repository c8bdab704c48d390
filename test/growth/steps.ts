import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ProjectCopy } from '../../scripts/laboratory/project-copy.ts';

/**
 * What a designer does to add a resource with everything that the contract knows, in the order of CONTRIBUTING.md: the
 * scaffolds, and by hand only what is about notes. Then a release of it.
 */
export async function grow(project: ProjectCopy): Promise<void> {
  const scaffold = (...args: string[]) => npm(project, 'run', '--silent', 'spec:new', '--', ...args);
  await scaffold('resource', 'notes', '--in', 'workspace', '--change-permission', 'can_edit_notes');
  await npm(project, 'run', '--silent', 'generate');
  await scaffold('operation', 'notes/archiveNote', 'post', '/notes/{noteId}/archive');
  await npm(project, 'run', '--silent', 'generate');
  for (const field of [
    ['notes/subtitle'],
    ['notes/code', '--pattern', '^[A-Z]{2}$', '--example', 'QX', '--required'],
    ['notes/pages', '--type', 'integer'],
    ['notes/share', '--type', 'number'],
    ['notes/isPinned', '--type', 'boolean'],
    ['notes/originId', '--type', 'uuid'],
    ['notes/reviewedAt', '--type', 'date-time'],
    ['notes/archivedAt', '--type', 'date-time'],
    ['notes/tone', '--enum', 'plain,formal'],
    ['notes/shelf', '--pattern', '^[A-Z]-[0-9]+$', '--example', 'R-7'],
    ['users/deskPhone', '--example', '+49 30 1234'],
    ['users/assistant', '--format', 'email', '--example', 'ada@alderfinch.example'],
  ]) {
    await scaffold('field', ...field);
    await npm(project, 'run', '--silent', 'generate');
  }
  // Every object has the required field.
  await project.edit('test/endpoints/notes.test.ts', (text) =>
    text.replace(/( +)name: 'First',\n(?= +createdDateTime)/, "$&$1code: 'QX',\n"),
  );
  await writeStatement(project);
  await addEvent(project);
  await addErrorCode(project);
  await addPermission(project);
  await deprecate(project);
  await npm(project, 'run', '--silent', 'generate');
  await npm(project, 'run', '--silent', 'format');
  await updateMatrix(project);
  await git(project, 'add', '--all');
  await git(project, '-c', 'user.name=Copy', '-c', 'user.email=copy@localhost', 'commit', '-qm', 'As grown');
  await npm(project, 'run', '--silent', 'spec:release', '--', 'minor', '--summary', 'Notes.');
}

/**
 * Removes the resource again, as if it had not been released: after a release, that breaks clients. Its migrations stay:
 * those that ran never change.
 */
export async function shrink(project: ProjectCopy): Promise<void> {
  await git(project, 'reset', '--hard', '--quiet');
  await git(project, 'clean', '-d', '--force', '--quiet');
  for (const file of [
    ...['paths', 'schemas', 'examples', 'webhooks'].map((folder) => `spec/${folder}/notes.yaml`),
    ...['store', 'handlers'].map((folder) => `server/src/${folder}/notes.ts`),
    ...['endpoints/notes.test.ts', 'samples/notes.sh', 'samples/notes.ts'].map((name) => `test/${name}`),
  ])
    await rm(join(project.directory, file));
  const withoutLines = (file: string, about: RegExp) =>
    project.edit(file, (text) =>
      text
        .split(/(?<=\n)/)
        .filter((line) => !about.test(line))
        .join(''),
    );
  await project.edit('spec/openapi.yaml', (text) => text.replace(/ {2}- name: notes\n(?: {4}.*\n)+/, ''));
  await project.edit('spec/openapi.yaml', (text) => text.replace(/, notes\]/, ']'));
  await withoutLines('spec/openapi.yaml', /\/notes\b|^ {2}note\./);
  await project.edit('spec/headers.yaml', (text) =>
    text.replace(/^# .*\nversioned:\n(?: .*\n)+VersionETag:\n(?: .*\n)+/m, ''),
  );
  await project.edit('spec/parameters.yaml', (text) => text.replace(/^NoteId:\n(?: .*\n)+/m, ''));
  await project.edit('spec/responses.yaml', (text) => text.replace(/^NoteNotFound:\n(?: .*\n)+/m, ''));
  await withoutLines('spec/schemas/errors.yaml', /note_not_found|note_archived/);
  await withoutLines('spec/guides/authentication.md', /can_\w+_notes/);
  await withoutLines('server/src/store/addressable-objects.ts', /noteId/);
  await withoutLines('server/src/domain/grants.ts', /can_\w+_notes/);
  await project.edit('test/sweeps/support/error-cases.ts', (text) =>
    text.replace(/ {2}'409 note_archived'[\s\S]*?\n {2}\},\n/, ''),
  );
  await npm(project, 'run', '--silent', 'generate');
  await npm(project, 'run', '--silent', 'format');
  await updateMatrix(project);
}

/** @throws with what the command printed */
export async function npm({ directory }: ProjectCopy, ...args: string[]): Promise<void> {
  await promisify(execFile)('npm', args, { cwd: directory, maxBuffer: 1 << 26 });
}

async function git({ directory }: ProjectCopy, ...args: string[]): Promise<void> {
  await promisify(execFile)('git', args, { cwd: directory, maxBuffer: 1 << 26 });
}

async function updateMatrix(project: ProjectCopy): Promise<void> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'quick'];
  const env = { ...process.env, UPDATE_MATRIX: '1', WRP_TEST_REPORT: '' };
  await promisify(execFile)(
    process.execPath,
    ['scripts/run.mjs', ...vitest, 'test/sweeps/authorization.test.ts'],
    { cwd: project.directory, env, maxBuffer: 1 << 26 },
  );
}

/** The statement of the scaffolded operation, with an outcome of its own. */
async function writeStatement(project: ProjectCopy): Promise<void> {
  await project.edit('server/src/store/notes.ts', (text) =>
    text.replace("import type { Caller } from '../domain/caller.ts';\n", '').replace(
      /\/\*\* A further outcome needs[\s\S]*$/,
      `export type NoteArchival = { kind: 'archived'; note: Note; workspaceId: string } | { kind: 'archived before' };

/** Archives the note. */
export async function archiveNote(database: Database, noteId: string, now: Date): Promise<NoteArchival> {
  const row = await database
    .updateTable('notes')
    .set({ archived_at: now })
    .where('id', '=', noteId)
    .where('archived_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row
    ? { kind: 'archived', note: toNote(row), workspaceId: row.workspace_id }
    : { kind: 'archived before' };
}
`,
    ),
  );
  await project.edit('server/src/handlers/notes.ts', (text) =>
    text.replace(
      /( {2}async archiveNote\(.*\n)[\s\S]*?\n {2}\},\n/,
      `$1    const at = now();
    const outcome = await notes.archiveNote(database, path.noteId, at);
    if (outcome.kind === 'archived before') return refuse(409, 'note_archived');
    const { note, workspaceId } = outcome;
    const event = { organizationId: caller.organizationId, workspaceId, data: path, now: at };
    await recordEvent(database, { type: 'note.archived', ...event });
    return { status: 200, body: note };
  },
`,
    ),
  );
  // The note of the examples is not archived, but in the response of archiveNote.
  await project.edit('spec/examples/notes.yaml', (text) => {
    const [note = ''] = /^note:\n(?: .*\n)+/m.exec(text) ?? [];
    const archived = note.replace('note:', 'archivedNote:').replace(/&note\b/, '');
    return text.replace(/ +archivedAt: .*\n/, '') + archived.replace(/ +$/gm, '');
  });
  await project.edit('spec/paths/notes.yaml', (text) =>
    text.replace(
      /(operationId: archiveNote\n[\s\S]*?) note: \{ \$ref: (.*)#\/note \}/,
      '$1 archivedNote: { $ref: $2#/archivedNote }',
    ),
  );
}

async function addEvent(project: ProjectCopy): Promise<void> {
  const likeDeletion = (text: string, entry: RegExp) =>
    `${text}${[...text.matchAll(entry)]
      .map(([block]) => block.replaceAll('deleted', 'archived').replaceAll('Deleted', 'Archived'))
      .join('')}`;
  await project.edit('spec/webhooks/notes.yaml', (text) => likeDeletion(text, /^deleted:\n(?: .*\n)+/gm));
  await project.edit('spec/schemas/notes.yaml', (text) =>
    likeDeletion(text, /^NoteDeleted\w*:\n(?: .*\n)+/gm),
  );
  await project.edit('spec/examples/notes.yaml', (text) => likeDeletion(text, /^noteDeleted:\n(?: .*\n)+/gm));
  await project.edit('spec/openapi.yaml', (text) =>
    text.replace(/ +note\.deleted: .*\n/, (line) => line + line.replaceAll('deleted', 'archived')),
  );
}

async function addErrorCode(project: ProjectCopy): Promise<void> {
  await project.edit('spec/schemas/errors.yaml', (text) =>
    text
      .replace(/ +- note_not_found\n/, '$&    - note_archived\n')
      .replace(/ +note_not_found: .*\n/, '$&    note_archived: The note is archived already.\n'),
  );
  await project.edit(
    'spec/examples/notes.yaml',
    (text) => `${text}alreadyArchived:
  summary: The note is archived already
  value:
    fingerprint: 0f8b3a52-6c1d-4e0a-9d57-2b6f4f1f7c11
    errors:
      - code: note_archived
        message: The note is archived already.
`,
  );
  await project.edit('spec/paths/notes.yaml', (text) =>
    text.replace(
      /(operationId: archiveNote\n[\s\S]*?) {6}'409': .*IdempotencyConflict.*\n/,
      `$1      '409':
        description: The note is archived, or the first request with this key is still in progress.
        headers: { $ref: ../headers.yaml#/authenticated }
        content:
          application/json:
            schema: { $ref: ../schemas/errors.yaml#/Error }
            examples:
              alreadyArchived: { $ref: ../examples/notes.yaml#/alreadyArchived }
              idempotencyKeyInUse: { $ref: ../examples/errors.yaml#/idempotencyKeyInUse }
`,
    ),
  );
  await project.edit('test/sweeps/support/error-cases.ts', (text) =>
    text.replace(
      "  '422 idempotency_key_reused':",
      `  '409 note_archived': async (operation, { requests }) => {
    const request = toSend(await requests.valid(operation));
    assertAccepted(operation, await requests.send(request));
    return requests.send(request);
  },
$&`,
    ),
  );
}

async function addPermission(project: ProjectCopy): Promise<void> {
  await project.edit('spec/guides/authentication.md', (text) =>
    text.replace(
      /\| `can_edit_attachments` \|.*\n/,
      '$&| `can_archive_notes` | archive notes of a workspace |\n',
    ),
  );
  await project.edit('spec/paths/notes.yaml', (text) =>
    text.replace(/operationId: archiveNote\n[\s\S]*$/, (rest) =>
      rest.replaceAll('[can_edit_notes]', '[can_archive_notes]'),
    ),
  );
  await project.edit('server/src/domain/grants.ts', (text) =>
    text.replace(/ +can_edit_attachments: .*\n/, "$&  can_archive_notes: 'workspace',\n"),
  );
  await project.edit('test/endpoints/notes.test.ts', (text) =>
    text.replace(/(describe\('archiveNote'[\s\S]*?without )can_edit_notes/, '$1can_archive_notes'),
  );
}

/** Of an operation that clients use, from today on. */
async function deprecate(project: ProjectCopy): Promise<void> {
  const today = new Date();
  const since = today.toISOString().slice(0, 10);
  const sunset = new Date(today.setFullYear(today.getFullYear() + 1, today.getMonth() + 1))
    .toISOString()
    .slice(0, 10);
  await project.edit('spec/paths/users.yaml', (text) =>
    text.replace(
      /( +)operationId: listUsers\n/,
      `$&$1deprecated: true\n$1x-deprecated-since: '${since}'\n$1x-sunset: '${sunset}'\n`,
    ),
  );
}
