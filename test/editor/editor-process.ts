import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type Diagnostic,
  type Position,
  type PublishDiagnosticsParams,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { until } from '../support/waiting.ts';

export type EditorProcess = Awaited<ReturnType<typeof startEditor>>;

/** The language server of a copy of the project, as an editor drives it. Files are relative to the copy. */
export async function startEditor(directory: string) {
  const child = spawn(process.execPath, ['scripts/editor/main.ts', '--stdio'], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[code: number | null]>;
  let errorOutput = '';
  child.stderr.on('data', (chunk) => {
    errorOutput += chunk;
  });
  const connection = createMessageConnection(child.stdout, child.stdin);
  const published = new Map<string, Diagnostic[]>();
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    published.set(params.uri, params.diagnostics);
  });
  connection.listen();
  const uriOf = (file: string) => pathToFileURL(join(directory, file)).href;
  const opened = new Map<string, TextDocument>();
  const initialized = await connection.sendRequest<{ capabilities: object }>('initialize', {
    processId: process.pid,
    rootUri: uriOf(''),
    capabilities: {},
  });
  await connection.sendNotification('initialized', {});

  async function change(file: string, text: string): Promise<void> {
    const version = (opened.get(file)?.version ?? 0) + 1;
    const document = TextDocument.create(uriOf(file), 'yaml', version, text);
    const isOpen = opened.has(file);
    opened.set(file, document);
    if (isOpen)
      await connection.sendNotification('textDocument/didChange', {
        textDocument: { uri: document.uri, version },
        contentChanges: [{ text }],
      });
    else
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: document.uri, languageId: 'yaml', version, text },
      });
  }

  return {
    child,
    exited,
    connection,
    capabilities: initialized.capabilities,
    uriOf,
    get errorOutput() {
      return errorOutput;
    },
    /** Opens a file with a text, or replaces the text of an open one. */
    change,
    async close(file: string) {
      opened.delete(file);
      await connection.sendNotification('textDocument/didClose', { textDocument: { uri: uriOf(file) } });
    },
    text: (file: string) => opened.get(file)?.getText() ?? '',
    /** Applies the edits of a fix to the open files. */
    async apply(changes: Record<string, TextEdit[]>) {
      for (const [file, document] of opened) {
        const edits = changes[document.uri];
        if (edits) await change(file, TextDocument.applyEdits(document, edits));
      }
    },
    /** Requests something about the position in an open file after the first occurrence of a text. */
    ask<Result>(method: string, file: string, after: string): Promise<Result> {
      const document = opened.get(file) as TextDocument;
      const at = document.getText().indexOf(after);
      if (at < 0) throw new Error(`${file} has no ${after}: adapt the test to the contract.`);
      const position: Position = document.positionAt(at + after.length);
      const params = { textDocument: { uri: document.uri }, position };
      const context = { range: { start: position, end: position }, context: { diagnostics: [] } };
      return connection.sendRequest(`textDocument/${method}`, { ...params, ...context });
    },
    /** Waits until what the editor shows in a file meets a condition. */
    async shown(file: string, isWanted: (diagnostics: Diagnostic[]) => boolean): Promise<Diagnostic[]> {
      await until(() => isWanted(published.get(uriOf(file)) ?? []) && published.has(uriOf(file)));
      return published.get(uriOf(file)) ?? [];
    },
  };
}
