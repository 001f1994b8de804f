import { readFileSync } from "node:fs";
import ts from "typescript";

/**
 * The settings that a schema of zod declares, from its source: a comment before a setting is its meaning, and a
 * sentence in it that begins with "Default:" says what holds where it is not set.
 */
export function sourceSettings(files) {
  const objects = new Map();
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2022, true);
    ts.forEachChild(source, (node) => {
      if (!ts.isVariableStatement(node)) return;
      for (const { name, initializer } of node.declarationList.declarations) {
        const object = initializer && objectOf(initializer);
        if (object) objects.set(name.text, object);
      }
    });
  }
  return (name) => settingsOf(objects.get(name), "", objects);
}

function settingsOf(object, prefix, objects) {
  return object.properties.flatMap((property) => {
    const path = `${prefix}${property.name.text}`;
    const inner = objectOf(property.initializer) ?? objects.get(referenceOf(property.initializer));
    if (inner && !isListOf(property.initializer)) return settingsOf(inner, `${path}.`, objects);
    const comment = commentOf(property);
    if (comment === "") throw new Error(`${path} has no comment in its schema`);
    const [meaning, inWords] = comment.split(/ ?Default: /);
    return [
      { path, meaning: meaning.trim(), default: defaultOf(property.initializer) ?? inWords?.replace(/\.$/, "") ?? "" },
    ];
  });
}

/** The object behind `z.strictObject({…}).prefault({})` and the like. */
function objectOf(expression) {
  const call = calls(expression).find(({ method }) => method === "strictObject");
  const [argument] = call?.args ?? [];
  return argument && ts.isObjectLiteralExpression(argument) ? argument : undefined;
}

/** `Clustering` in `Clustering`, `SlurmSettings` in `SlurmSettings.optional()`. */
function referenceOf(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isCallExpression(expression) || ts.isPropertyAccessExpression(expression))
    return referenceOf(expression.expression);
  return undefined;
}

function isListOf(expression) {
  return calls(expression).some(({ method }) => method === "array");
}

function defaultOf(expression) {
  const value = calls(expression).find(({ method }) => method === "default")?.args[0];
  if (value === undefined) return undefined;
  const text = value.getText();
  return text === "[]" || text === "{}" ? "none" : `\`${text.replaceAll('"', "")}\``;
}

function calls(expression) {
  if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return [];
  const { name, expression: target } = expression.expression;
  return [...calls(target), { method: name.text, args: [...expression.arguments] }];
}

function commentOf(node) {
  return ts
    .getJSDocCommentsAndTags(node)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? "")
    .join(" ")
    .replace(/\s+/g, " ");
}
