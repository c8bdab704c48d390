import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { type GuardKind, type NamedGuard, namedGuards, type RedundantGuard } from './named.ts';
import { conditionsOf, maskInsertions, type Span } from './sql-conditions.ts';

/** A condition that keeps somebody from something, and the text that removes or weakens it. */
export interface Guard {
  kind: GuardKind;
  /** Relative to the project. */
  file: string;
  /** From 1. */
  line: number;
  /** The function or constant around it: `findUser`, `operations.getUser`. */
  within: string;
  /** The text that is replaced, and where it stands in the file. */
  text: string;
  span: Span;
  replacement: string;
  /** The expression around it, which is evaluated anew whenever the guard is: `instrument.ts` switches it. */
  host: Host;
}

/** `property`: the name of the property whose value it is, if the whole property is replaced by a getter. */
export type Host = Span & { property?: string };

const root = new URL('../../../', import.meta.url);
const operationsFile = 'generated/operations.ts';
/** Migrations run once, and the folders after them guard processes and not callers. */
const unguarded = /^server\/src\/(store\/migrations|postgres|isolation|jobs)\//;

/**
 * Every guard of the project, in the order of files and lines.
 *
 * @throws if a named guard is not in its file exactly once
 */
export function findGuards(): Guard[] {
  const files = ['server/src', 'client/src'].flatMap(sourcesIn).filter((file) => !unguarded.test(file));
  const named = new Map<NamedGuard, number>(namedGuards.map((guard) => [guard, 0]));
  const guards = [operationsFile, ...files].flatMap((file) => guardsIn(file, readSource(file), named));
  for (const [{ file, text }, times] of named) {
    if (times !== 1)
      throw new Error(`${file} contains ${JSON.stringify(text)} ${times} times: adapt guards/named.ts.`);
  }
  return guards;
}

/** A guard as a line of a report: `server/src/store/users.ts:52 [tenancy] … → …`. */
export function describeGuard({ file, line, within, kind, text, replacement }: Guard): string {
  const short = (code: string) => {
    const plain = onOneLine(code);
    return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
  };
  const change = replacement === '' ? 'removed' : `→ ${short(replacement)}`;
  return `${file}:${line} ${within} [${kind}] ${short(text)} ${change}`;
}

function onOneLine(code: string): string {
  return code.replace(/\s+/g, ' ').trim();
}

/** Whether a guard that is listed as redundant is this one. */
export function isListed(guard: Guard, { file, within, text, replacement }: RedundantGuard): boolean {
  return (
    guard.file === file &&
    guard.within === within &&
    onOneLine(guard.text) === text &&
    (replacement === undefined || replacement === guard.replacement)
  );
}

function readSource(file: string): string {
  return readFileSync(new URL(file, root), 'utf8');
}

function sourcesIn(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/** The guards of one file. Exported for tests. */
export function guardsIn(file: string, text: string, named?: Map<NamedGuard, number>): Guard[] {
  const source = ts.createSourceFile(fileURLToPath(new URL(file, root)), text, ts.ScriptTarget.Latest, true);
  const guards: Guard[] = [];
  const add = (kind: GuardKind, node: ts.Node, span: Span, replacement: string) => {
    const line = source.getLineAndCharacterOfPosition(span.start).line + 1;
    const replaced = text.slice(span.start, span.end);
    const [within, host] = [nameAround(node), hostOf(node)];
    guards.push({ kind, file, line, within, text: replaced, span, replacement, host });
  };
  const replace = (kind: GuardKind, node: ts.Node, replacement: string) =>
    add(kind, node, { start: node.getStart(), end: node.getEnd() }, replacement);

  const visit = (node: ts.Node): void => {
    if (file === operationsFile) permission(node, replace);
    else {
      statement(node, add);
      if (ts.isCallExpression(node)) call(file, node, add, replace);
      if (ts.isBinaryExpression(node)) comparison(file, node, replace);
      ended(node, replace);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const guard of named?.keys() ?? []) {
    if (guard.file !== file) continue;
    const places = text.split(guard.text).length - 1;
    named?.set(guard, places);
    const start = text.indexOf(guard.text);
    if (places !== 1) continue;
    const span = { start, end: start + guard.text.length };
    add(guard.kind, nodeAround(source, span), span, guard.replacement);
  }
  return guards.sort((one, other) => one.span.start - other.span.start);
}

type Add = (kind: GuardKind, node: ts.Node, span: Span, replacement: string) => void;
type Replace = (kind: GuardKind, node: ts.Node, replacement: string) => void;

/** The permission of an operation: identity is enough, or another permission is. */
function permission(node: ts.Node, replace: Replace): void {
  if (!ts.isPropertyAssignment(node) || node.name.getText() !== 'permission') return;
  const { initializer } = node;
  if (!ts.isStringLiteral(initializer)) return;
  const other = initializer.text === 'can_view_workspace' ? 'can_read_attachments' : 'can_view_workspace';
  for (const replacement of ['null', `'${other}'`]) replace('permission', initializer, replacement);
}

/** The conditions of a SQL statement or of a part of one. */
function statement(node: ts.Node, add: Add): void {
  if (!ts.isTemplateExpression(node) && !ts.isStringLiteralLike(node)) return;
  const start = node.getStart();
  const insertions = ts.isTemplateExpression(node)
    ? node.templateSpans.map(({ expression }) => ({
        start: expression.getFullStart() - start - 2,
        end: expression.getEnd() - start + 1,
      }))
    : [];
  const sql = maskInsertions(node.getText(), insertions);
  const isTagged = ts.isTaggedTemplateExpression(node.parent) && node.parent.tag.getText() === 'sql';
  if (!isTagged && !/\b(select|update|delete|join)\b.*\b(where|on|when)\b/s.test(sql)) return;
  for (const condition of conditionsOf(sql.slice(0, -1))) {
    const kind = kindOfCondition(sql.slice(condition.start, condition.end));
    if (kind) add(kind, node, { start: start + condition.start, end: start + condition.end }, 'true');
  }
}

/** Which guard a condition of SQL is: by what it compares. A comparison of rows is the start of a page. */
function kindOfCondition(condition: string): GuardKind | undefined {
  if (/^\(\w+, /.test(condition)) return undefined;
  if (/\w_at\b\s*([<>]|is null)/.test(condition)) return 'expiry';
  if (
    /\b(relation|resource_type|resource_id|role_id|organization_role|\w*\.?status = 'ACTIVE')/.test(condition)
  )
    return 'grant';
  if (/\w_id\b/.test(condition)) return 'tenancy';
  return undefined;
}

const grantRules = new Set(['mayActOn', 'mayGrant', 'holds', 'covers', 'isWithin']);
/** What the engine calls `holds` is another function. */
const usesGrantRules = (file: string) => /^server\/src\/(domain|store)\//.test(file);

function call(file: string, node: ts.CallExpression, add: Add, replace: Replace): void {
  const callee = node.expression;
  const name = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (grantRules.has(name) && usesGrantRules(file)) replace('grant', node, 'true');
  if (name === 'timingSafeEqual' || name === 'equals') replace('signature', node, 'true');
  if (callee.getText() === 'crypto.subtle.verify') replace('signature', node, 'true');
  if (name === 'hkdfSync') signedText(node.arguments[3], add, replace);
  if (name === 'jwtVerify') tokenChecks(node.arguments[2], replace);
  if (!ts.isPropertyAccessExpression(callee)) return;
  if (name === 'update' && /^createHmac\(/.test(callee.expression.getText()))
    signedText(node.arguments[0], add, replace);
  const [column, operator, value] = node.arguments;
  if (name !== 'where' || !column || !ts.isStringLiteral(column)) return;
  const condition = `${column.text} ${operator?.getText().slice(1, -1)} ${value?.getText()}`;
  const kind = kindOfCondition(condition);
  if (kind) add(kind, node, { start: callee.expression.getEnd(), end: node.getEnd() }, '');
}

/** What is checked of a JWT besides its signature. */
function tokenChecks(options: ts.Expression | undefined, replace: Replace): void {
  if (!options || !ts.isObjectLiteralExpression(options)) return;
  for (const property of options.properties) {
    const isTime = /^(currentDate|requiredClaims)$/.test(property.name?.getText() ?? '');
    replace(isTime ? 'expiry' : 'signature', property, '...{}');
  }
}

/** What a signature or a key depends on: without one of its parts it is valid for something else too. */
function signedText(node: ts.Expression | undefined, add: Add, replace: Replace): void {
  if (!node) return;
  if (!ts.isTemplateExpression(node)) {
    replace('signature', node, "''");
    return;
  }
  for (const { expression } of node.templateSpans) {
    const span = { start: expression.getFullStart() - 2, end: expression.getEnd() + 1 };
    add('signature', node, span, '');
  }
}

const { LessThanToken, LessThanEqualsToken, GreaterThanToken, GreaterThanEqualsToken } = ts.SyntaxKind;
const { EqualsEqualsEqualsToken, ExclamationEqualsEqualsToken } = ts.SyntaxKind;
const order = new Set<ts.SyntaxKind>([
  ...[LessThanToken, LessThanEqualsToken, GreaterThanToken, GreaterThanEqualsToken],
]);
const equality = new Set<ts.SyntaxKind>([EqualsEqualsEqualsToken, ExclamationEqualsEqualsToken]);

/** Comparisons with the end of something, in either direction, and those of the grant rules. */
function comparison(file: string, node: ts.BinaryExpression, replace: Replace): void {
  const operator = node.operatorToken.kind;
  const isOrder = order.has(operator);
  if (file === 'server/src/domain/grants.ts' && (isOrder || equality.has(operator))) {
    replace('grant', node, 'true');
  } else if (isOrder && /expir|servedUntil|sinceRotation|tolerance/i.test(node.getText())) {
    for (const replacement of ['true', 'false']) replace('expiry', node, replacement);
  }
}

/** `if (usedAt)` and `!usedAt`: whether something ended before its time. */
function ended(node: ts.Node, replace: Replace): void {
  const isEnd = (tested: ts.Node) => /^(\w+\.)?(usedAt|revokedAt|retiredAt)$/.test(tested.getText());
  if (ts.isIfStatement(node) && isEnd(node.expression)) replace('expiry', node.expression, 'false');
  if (ts.isPrefixUnaryExpression(node) && isEnd(node.operand)) replace('expiry', node, 'true');
}

/** The outermost function or constant that a node is part of, with the property if the constant is an object. */
function nameAround(node: ts.Node): string {
  let name = '';
  let property = '';
  for (let around = node; around; around = around.parent) {
    if (ts.isFunctionLike(around)) property = '';
    if (ts.isPropertyAssignment(around)) property = `.${around.name.getText()}`;
    if (ts.isFunctionDeclaration(around)) name = around.name?.text ?? name;
    if (ts.isVariableDeclaration(around)) name = around.name.getText() + property;
  }
  return name;
}

/**
 * The outermost expression around a node that is evaluated with it: not beyond a function, nor beyond a property of a
 * constant, which is evaluated anew when it is read.
 */
function hostOf(node: ts.Node): Host {
  let host = node;
  let innermost: ts.PropertyAssignment | undefined;
  let around = node.parent;
  for (; isInExpression(around); around = around.parent) {
    if (ts.isPropertyAssignment(around)) innermost ??= around;
    if (ts.isExpression(around)) host = around;
  }
  const isConstant = ts.isVariableDeclaration(around) && ts.isSourceFile(around.parent.parent.parent);
  if (!innermost || !isConstant) return { start: host.getStart(), end: host.getEnd() };
  return { start: innermost.getStart(), end: innermost.getEnd(), property: innermost.name.getText() };
}

function isInExpression(node: ts.Node): boolean {
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  return ts.isExpression(node) || ts.isTemplateSpan(node) || ts.isObjectLiteralElementLike(node);
}

/** The smallest expression that contains a part of the text. */
function nodeAround(source: ts.SourceFile, { start, end }: Span): ts.Node {
  let found: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (node.getStart() > start || node.getEnd() < end) return;
    if (ts.isExpression(node)) found = node;
    ts.forEachChild(node, visit);
  };
  visit(source);
  if (!found) throw new Error(`${source.fileName}: no expression at ${start}.`);
  return found;
}
