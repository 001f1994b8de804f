import { type Document, parse, Scalar, visit } from "yaml";

const VARIABLE = /\$\$|\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that has no value, and where in the text it stands. */
export interface MissingVariable {
  readonly name: string;
  readonly offset: number;
}

/**
 * Replaces `${NAME}` and `${NAME:-otherwise}` in the values of a document; `$$` stands for one `$`. A value without quotes
 * is read again, so that `cpus: ${CPUS}` is a number; in braces, `{ cpus: "${CPUS}" }`, YAML asks for quotes, and it is text. Returns the first variable that has no value.
 */
export function expandVariables(document: Document, env: Environment): MissingVariable | null {
  let missing: MissingVariable | null = null;
  visit(document, {
    Scalar(key, node) {
      if (key === "key" || typeof node.value !== "string" || !node.value.includes("$")) return;
      const expanded = node.value.replace(
        VARIABLE,
        (whole, name: string | undefined, otherwise: string | undefined) => {
          if (name === undefined) return "$";
          const value = env[name] ?? otherwise;
          if (value === undefined) missing ??= { name, offset: node.range?.[0] ?? 0 };
          return value ?? whole;
        },
      );
      if (expanded !== node.value) node.value = node.type === Scalar.PLAIN ? readAgain(expanded) : expanded;
    },
  });
  return missing;
}

/** Numbers and truths become what they are; anything else stays text, whatever YAML would make of it. */
function readAgain(text: string): unknown {
  if (!/^[\w.+-]+$/.test(text)) return text;
  const value: unknown = parse(text);
  return typeof value === "number" || typeof value === "boolean" ? value : text;
}
