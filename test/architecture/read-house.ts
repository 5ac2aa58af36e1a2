import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';
import type { HouseFile, Sighting } from './house-rules.js';

/** Decorators that make a class a provider of its module, and so private unless the module exports it. */
const PROVIDERS = new Set(['Injectable', 'Controller', 'Resolver', 'JobHandler', 'IntakeType', 'IntakeQuery', 'Catch']);

/** A whole statement, or a lock, in the capitals that this house writes SQL in. */
const SQL =
  /^\s*\(?(?:WITH|SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE|ALTER|DROP|LISTEN|NOTIFY|SHOW|SET LOCAL|LOCK TABLE)\s|\bSELECT\s[^]*\bFROM\s|\b(?:INSERT INTO|DELETE FROM|SKIP LOCKED|FOR (?:NO KEY )?UPDATE)\b/;
/** The question whether anybody is there; it is about no table. */
const PING = 'SELECT 1';
const QUERY_BUILDERS = new Set(['createQueryBuilder', 'setLock', 'InjectRepository', 'getRepository']);

/** Reads TypeScript files as the rules want them. @param folders relative to `root`, or single files */
export function readHouse(root: string, folders: readonly string[]): HouseFile[] {
  return folders
    .flatMap((folder) => (folder.endsWith('.ts') ? [folder] : sourcesIn(root, folder)))
    .map((path) => readFile(path, readFileSync(join(root, path), 'utf8')));
}

function sourcesIn(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => path.endsWith('.ts') && !/[.-]spec\.ts$/.test(path))
    .sort();
}

const HTTP_PACKAGES = new Set(['got', 'undici', 'axios', 'node-fetch', 'ky', 'superagent', 'request-filtering-agent']);
const HTTP_MODULES = /^(?:node:)?https?2?$/;
const SERVING = new Set(['createServer', 'Server', 'STATUS_CODES', 'METHODS']);

/** @param path of the file, relative to the project and with slashes */
export function readFile(path: string, text: string): HouseFile {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const file: HouseFile = { path, imports: [], packages: [], provides: false, exported: [], sightings: [] };
  const importedFrom = new Map<string, string>();
  const see = (what: Sighting['what'], node: ts.Node): void => {
    file.sightings.push({ what, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
  };

  const addImport = (specifier: string, typeOnly: boolean): void => {
    if (!specifier.startsWith('.')) file.packages.push(specifier);
    else file.imports.push({ to: resolved(path, specifier), typeOnly });
  };

  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const specifier = node.moduleSpecifier.text;
      addImport(specifier, isTypeOnly(node.importClause));
      if (bringsHttpClient(specifier, node.importClause)) see('http client', node);
      for (const name of namesOf(node.importClause)) importedFrom.set(name, resolved(path, specifier));
      return;
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      addImport(node.moduleSpecifier.text, node.isTypeOnly);
      if (node.exportClause === undefined) see('export *', node);
      return;
    }
    if (ts.isClassDeclaration(node)) {
      for (const { name, call } of decoratorsOf(node)) {
        if (PROVIDERS.has(name)) file.provides = true;
        if (name === 'Module') file.exported.push(...exportsIn(call));
      }
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'exports' && path.endsWith('.module.ts')) {
      file.exported.push(...identifiersIn(node.initializer));
    }
    if (isCallOf(node, 'import') && ts.isStringLiteral(node.arguments[0] ?? node)) {
      addImport((node.arguments[0] as ts.StringLiteral).text, false);
    }
    if (ts.isIdentifier(node)) {
      if (node.text === 'forwardRef') see('forwardRef', node);
      if (QUERY_BUILDERS.has(node.text)) see('sql', node);
    }
    if (isCallOf(node, 'fetch') || isCallOf(node, 'globalThis.fetch')) see('http client', node);
    if (isEnvironment(node)) see('process.env', node);
    if (isNow(node)) see('now', node);
    if (isText(node) && isSql(node.getText().slice(1, -1))) see('sql', node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  file.exported = [...new Set(file.exported)].map((name) => importedFrom.get(name) ?? path);
  return file;
}

function resolved(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.length > 0 &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

/** Values out of a package that asks other hosts. What serves, or only names things, is none. */
function bringsHttpClient(specifier: string, clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined || clause.isTypeOnly) return false;
  if (HTTP_PACKAGES.has(specifier)) return !isTypeOnly(clause);
  if (!HTTP_MODULES.test(specifier)) return false;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return true;
  return named.elements.some(({ isTypeOnly: type, name }) => !type && !SERVING.has(name.text));
}

function namesOf(clause: ts.ImportClause | undefined): string[] {
  const named = clause?.namedBindings;
  return named !== undefined && ts.isNamedImports(named) ? named.elements.map((element) => element.name.text) : [];
}

function decoratorsOf(node: ts.ClassDeclaration): { name: string; call: ts.CallExpression }[] {
  return (ts.getDecorators(node) ?? [])
    .map((decorator) => decorator.expression)
    .filter(ts.isCallExpression)
    .map((call) => ({ name: call.expression.getText(), call }));
}

function exportsIn(call: ts.CallExpression): string[] {
  const [options] = call.arguments;
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return [];
  return options.properties
    .filter(ts.isPropertyAssignment)
    .filter((property) => property.name.getText() === 'exports')
    .flatMap((property) => identifiersIn(property.initializer));
}

function identifiersIn(list: ts.Expression): string[] {
  return ts.isArrayLiteralExpression(list) ? list.elements.filter(ts.isIdentifier).map((element) => element.text) : [];
}

function isCallOf(node: ts.Node, name: string): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === name;
}

/** `process.env`, `process['env']`, or `env` of node:process. */
function isEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.getText() === 'process.env';
  if (ts.isElementAccessExpression(node)) return /^process\[['"]env['"]\]$/.test(node.getText());
  return false;
}

function isNow(node: ts.Node): boolean {
  if (isCallOf(node, 'Date.now')) return true;
  return ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments?.length ?? 0) === 0;
}

function isSql(text: string): boolean {
  return SQL.test(text) && text !== PING;
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);
}
