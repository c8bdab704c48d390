import { createConnection, TextDocumentSyncKind, TextDocuments } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { ReportedFinding } from '../contract/lint/finding.ts';
import { ruleText } from '../contract/lint/rule-texts.ts';
import { watchFiles } from '../contract/watch-files.ts';
import { latestOnly } from '../design/latest-only.ts';
import { completionsAt } from './completion.ts';
import { diagnosticOf } from './diagnostics.ts';
import { openEditorLinter } from './linter.ts';
import { declarationAt } from './navigation.ts';
import { quickFixOf } from './quick-fixes.ts';
import { fileOf, type Sources, sourcesOf } from './sources.ts';

const pauseMilliseconds = 200;

/** Serves the contract of a project on standard input and output. The process exits when the editor asks or is gone. */
export function serve(root: URL): void {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const linter = openEditorLinter(root);
  process.on('exit', linter.close);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit());

  const newest = latestOnly();
  const logError = (error: unknown) => connection.console.error(String(error));
  let findings: ReportedFinding[] = [];
  let shown = new Set<string>();
  let changes = 0;
  let timer: NodeJS.Timeout | undefined;

  function lintSoon(): void {
    const change = ++changes;
    clearTimeout(timer);
    timer = setTimeout(() => newest(() => lint(change)).catch(logError), pauseMilliseconds);
  }

  async function lint(change: number): Promise<void> {
    const sources = sourcesOf(root, documents.all());
    const found = await linter.lint(sources);
    // After another change, the places may be wrong, and a later lint follows.
    if (change === changes) show(found, sources);
  }

  function show(found: ReportedFinding[], sources: Sources): void {
    findings = found;
    const byUri = Map.groupBy(found, ({ file }) => sources.document(file).uri);
    for (const uri of new Set([...shown, ...byUri.keys()])) {
      const diagnostics = (byUri.get(uri) ?? []).map((finding) => diagnosticOf(finding, sources));
      void connection.sendDiagnostics({ uri, diagnostics });
    }
    shown = new Set(byUri.keys());
  }

  /** Responds to requests about files of the contract. */
  function about<Params extends { textDocument: { uri: string } }, Result>(
    respond: (params: Params, file: string, sources: Sources) => Result,
  ): (params: Params) => Result | null {
    return (params) => {
      const file = fileOf(root, params.textDocument.uri);
      return file === undefined ? null : respond(params, file, sourcesOf(root, documents.all()));
    };
  }

  connection.onInitialize(() => ({
    serverInfo: { name: 'contract' },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      hoverProvider: true,
      definitionProvider: true,
      completionProvider: { triggerCharacters: ['/', '#', '[', '`', ' '] },
      codeActionProvider: { codeActionKinds: ['quickfix'] },
    },
  }));
  connection.onInitialized(async () => {
    lintSoon();
    await watchFiles(root, {
      places: ['spec/', 'redocly.yaml'],
      counts: (file) => /\.(?:ya?ml|md|js)$/.test(file),
      onSaved({ files }) {
        if (files.some((file) => /\.js$|^redocly\.yaml$/.test(file))) linter.restart();
        lintSoon();
      },
    });
  });
  documents.onDidChangeContent(lintSoon);
  documents.onDidClose(lintSoon);
  connection.onHover(
    about(({ position }, file, sources) => {
      const here = findings.filter((one) => one.file === file && one.line === position.line + 1);
      const reasons = new Set(here.map(({ rule }) => `**${rule}**: ${ruleText(rule)}`));
      const term = declarationAt(sources, file, position);
      const value = [...reasons, ...(term ? [`**${term.name}** ${term.text}`] : [])].join('\n\n');
      return value ? { contents: { kind: 'markdown', value } } : null;
    }),
  );
  connection.onDefinition(
    about(({ position }, file, sources) => {
      const term = declarationAt(sources, file, position);
      if (!term) return null;
      const document = sources.document(term.file);
      const start = document.positionAt(term.offset);
      return { uri: document.uri, range: { start, end: start } };
    }),
  );
  connection.onCompletion(about(({ position }, file, sources) => completionsAt(sources, file, position)));
  connection.onCodeAction(
    about(({ range: { start, end } }, file, sources) =>
      findings
        .filter((one) => one.file === file && start.line < one.line && one.line <= end.line + 1)
        .flatMap((finding) => {
          const fix = quickFixOf(finding, sources);
          const diagnostics = [diagnosticOf(finding, sources)];
          return fix ? [{ ...fix, kind: 'quickfix', diagnostics, isPreferred: true }] : [];
        }),
    ),
  );
  documents.listen(connection);
  connection.listen();
}
