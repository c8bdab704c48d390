import { statSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { TypeFault } from './answer.ts';

/** Checks the types of one TypeScript project again and again, looking anew at what changed alone. */
export type TypeChecker = () => TypeFault[];

type Kept = { file: ts.SourceFile; stamp: string };

/** @param project the folder of a tsconfig.json, relative to the root */
export function typeChecker(root: URL, project: string): TypeChecker {
  const directory = fileURLToPath(root);
  const configFile = fileURLToPath(new URL(`${project}/tsconfig.json`, root));
  const kept = new Map<string, Kept>();
  let previous: ts.SemanticDiagnosticsBuilderProgram | undefined;

  return () => {
    // Read each time: a file that was added belongs to it.
    const { options, fileNames } = configuration(configFile);
    const host = ts.createIncrementalCompilerHost(options);
    const read = host.getSourceFile;
    host.getSourceFile = (name, ...rest) => {
      const stamp = stampOf(name);
      const known = kept.get(name);
      if (known?.stamp === stamp) return known.file;
      const file = read(name, ...rest);
      if (file) kept.set(name, { file, stamp });
      return file;
    };
    const program = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, previous);
    previous = program;
    const found = [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...program.getSyntacticDiagnostics(),
      ...program.getSemanticDiagnostics(),
    ];
    return found.map((diagnostic) => faultOf(diagnostic, directory));
  };
}

function configuration(file: string): ts.ParsedCommandLine {
  const parsed = ts.getParsedCommandLineOfConfigFile(
    file,
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic({ messageText }) {
        throw new Error(ts.flattenDiagnosticMessageText(messageText, ' '));
      },
    },
  );
  if (!parsed) throw new Error(`${file} cannot be read.`);
  return parsed;
}

/** Packages do not change while somebody designs, and there are many of their files. */
function stampOf(name: string): string {
  if (name.includes('/node_modules/')) return '';
  const stats = statSync(name, { throwIfNoEntry: false });
  return stats ? `${stats.mtimeMs} ${stats.size}` : 'missing';
}

function faultOf({ file, start = 0, code, messageText }: ts.Diagnostic, directory: string): TypeFault {
  const { line, character } = file?.getLineAndCharacterOfPosition(start) ?? { line: 0, character: 0 };
  return {
    file: file ? relative(directory, file.fileName) : 'tsconfig.json',
    line: line + 1,
    column: character + 1,
    code: `TS${code}`,
    message: ts.flattenDiagnosticMessageText(messageText, ' ').replaceAll(/\s+/g, ' '),
  };
}
