import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type Edits, lineAt, wordsIn } from './edits.ts';

/** Renames what the generated types declare wherever the compiler finds it in hand-written TypeScript. */
export type Types = {
  /**
   * Renames the declarations of a generated file that `select` accepts.
   * @param select gets the names from the outermost declaration to the property: `['components', 'schemas', 'User']`
   */
  rename(file: string, select: (path: readonly string[]) => boolean, to: string): void;
  /** `file:line` of the first use of a name that a package or a library below the product declares, if there is one. */
  foreign(name: string): string | undefined;
};

/** @param isType renames imported types everywhere, instead of importing the new name `as` the old one */
export function typesOf(root: URL, edits: Edits, { isType = false } = {}): Types {
  const directory = fileURLToPath(root);
  const generated = readdirOf(root, 'generated').concat(
    'client/src/operations.ts',
    'client/src/msw-examples.ts',
  );
  const known = new Set(edits.files);
  const names = [...generated, ...edits.files.filter((file) => /\.tsx?$/.test(file))].map(
    (file) => directory + file,
  );
  const { config } = ts.readConfigFile(`${directory}tsconfig.base.json`, ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, directory);
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({
      ...options,
      allowJs: true,
      jsx: ts.JsxEmit.ReactJSX,
      lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    }),
    getScriptFileNames: () => names,
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) =>
      ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(readFileSync(name, 'utf8')) : undefined,
    getCurrentDirectory: () => directory,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
  });
  const isForeign = (name: string) =>
    !name.startsWith(directory) || /^(.*node_modules|server\/(?!src\/))/.test(name.slice(directory.length));
  return {
    foreign(name) {
      for (const file of edits.files.filter((file) => /\.tsx?$/.test(file))) {
        for (const at of wordsIn(edits.read(file), name)) {
          const declared = service.getDefinitionAtPosition(directory + file, at) ?? [];
          if (declared.some(({ name: own, fileName }) => own === name && isForeign(fileName)))
            return `${file}:${lineAt(edits.read(file), at)}`;
        }
      }
      return undefined;
    },
    rename(file, select, to) {
      const source = service.getProgram()?.getSourceFile(directory + file);
      for (const at of source ? declarationsIn(source, select) : []) {
        const preferences = { providePrefixAndSuffixTextForRename: !isType };
        for (const found of service.findRenameLocations(directory + file, at, false, false, preferences) ??
          []) {
          const name = found.fileName.replaceAll('\\', '/').slice(directory.length);
          if (!known.has(name)) continue;
          const { start, length } = found.textSpan;
          edits.replace(
            name,
            start,
            start + length,
            `${found.prefixText ?? ''}${to}${found.suffixText ?? ''}`,
          );
        }
      }
    },
  };
}

function readdirOf(root: URL, folder: string): string[] {
  return ts.sys
    .readDirectory(fileURLToPath(new URL(folder, root)), ['.ts'])
    .map((file) => file.slice(fileURLToPath(root).length).replaceAll('\\', '/'));
}

/** The positions of the names of selected properties. */
function declarationsIn(source: ts.SourceFile, select: (path: readonly string[]) => boolean): number[] {
  const found: number[] = [];
  const visit = (node: ts.Node, path: readonly string[]): void => {
    const name = (node as Partial<ts.NamedDeclaration>).name;
    const isNamed = name && (ts.isIdentifier(name) || ts.isStringLiteral(name));
    const inner = isNamed ? [...path, name.text] : path;
    if (isNamed && select(inner)) found.push(name.getStart(source) + (ts.isStringLiteral(name) ? 1 : 0));
    ts.forEachChild(node, (child) => visit(child, inner));
  };
  visit(source, []);
  return found;
}
