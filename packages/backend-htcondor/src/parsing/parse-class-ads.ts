import type { ClassAd, ClassAdValue } from "./class-ad.ts";

export interface ParsedClassAds {
  readonly ads: readonly ClassAd[];
  /** The beginning of one that is not whole yet, to stand before what comes next. */
  readonly rest: string;
}

/**
 * Ads in HTCondor's XML, as they follow each other in an event log. Each begins and ends with a line of its own; those
 * within others are indented. What was cut off, at either end or in the middle, is left out.
 */
export function parseClassAds(text: string): ParsedClassAds {
  const ads: ClassAd[] = [];
  let position = 0;
  for (;;) {
    const end = text.indexOf("\n</c>\n", position);
    if (end < 0) return { ads, rest: text.slice(lastBegin(text, position, text.length) ?? lastLine(text)) };
    const begin = lastBegin(text, position, end);
    if (begin !== undefined) {
      const ad = parseClassAd(text.slice(begin, end + "\n</c>".length));
      if (ad !== null) ads.push(ad);
    }
    position = end + "\n</c>\n".length;
  }
}

function lastBegin(text: string, position: number, end: number): number | undefined {
  const begin = text.lastIndexOf("\n<c>\n", end);
  if (begin >= position) return begin + 1;
  return text.startsWith("<c>\n", position) ? position : undefined;
}

/** It may be the half of a line with which an ad begins, or ends. */
function lastLine(text: string): number {
  return text.lastIndexOf("\n") + 1;
}

const TOKEN = /<(\/?)([a-z]+)((?:\s+[a-z]+="[^"]*")*)\s*(\/?)>|([^<]+)/gy;

/** Null where it is not well-formed. */
function parseClassAd(text: string): ClassAd | null {
  const reader = new Reader(text);
  try {
    const value = reader.value();
    return value instanceof Map ? value : null;
  } catch (error) {
    // The second: a letter that there is not, or lists in lists without end.
    if (error instanceof SyntaxError || error instanceof RangeError) return null;
    throw error;
  }
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly isWhole: boolean;
  readonly attribute: string;
}

class Reader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(tag: Tag = this.#tag()): ClassAdValue {
    switch (tag.name) {
      case "c":
        return new Map(this.#until(tag, (inner) => this.#entry(inner)));
      case "l":
        return this.#until(tag, (inner) => this.value(inner));
      case "s":
      case "e":
        return unescapeText(this.#content(tag));
      case "i":
      case "r":
        return Number(this.#content(tag));
      case "b":
        return tag.attribute === "t";
      default:
        this.#content(tag);
        return null;
    }
  }

  #entry(tag: Tag): [string, ClassAdValue] {
    if (tag.name !== "a") throw new SyntaxError(`no attribute: ${tag.name}`);
    const value = this.value();
    this.#end("a");
    return [unescapeText(tag.attribute), value];
  }

  #until<Item>(tag: Tag, read: (inner: Tag) => Item): Item[] {
    const items: Item[] = [];
    if (tag.isWhole) return items;
    for (let inner = this.#tag(); !inner.isEnd; inner = this.#tag()) items.push(read(inner));
    return items;
  }

  #content(tag: Tag): string {
    if (tag.isWhole) return "";
    const end = this.#text.indexOf("<", this.#position);
    const content = this.#text.slice(this.#position, end < 0 ? undefined : end);
    this.#position += content.length;
    this.#end(tag.name);
    return content;
  }

  #end(name: string): void {
    const tag = this.#tag();
    if (!tag.isEnd || tag.name !== name) throw new SyntaxError(`no end of ${name}`);
  }

  #tag(): Tag {
    TOKEN.lastIndex = this.#position;
    let token = TOKEN.exec(this.#text);
    if (token?.[5]?.trim() === "") token = TOKEN.exec(this.#text);
    if (token === null || token[5] !== undefined) throw new SyntaxError(`no tag at ${this.#position}`);
    this.#position = TOKEN.lastIndex;
    const [, slash, name = "", attributes = "", whole] = token;
    return {
      name,
      isEnd: slash === "/",
      isWhole: whole === "/",
      attribute: /="([^"]*)"/.exec(attributes)?.[1] ?? "",
    };
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function unescapeText(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|([a-z]+));/g, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] as string) : whole;
  });
}
