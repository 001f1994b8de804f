import * as crypto from "node:crypto";

type OneShot = (algorithm: string, data: string, encoding: "hex") => string;

/** Newer releases of Node hash a short text in one call, at a third of the cost. */
const oneShot = (crypto as { readonly hash?: OneShot }).hash;

export const sha256: (text: string) => string = oneShot
  ? (text) => oneShot("sha256", text, "hex")
  : (text) => crypto.createHash("sha256").update(text).digest("hex");
